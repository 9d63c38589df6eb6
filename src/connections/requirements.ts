import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../core/errors.ts';
import { readable } from '../core/options/read.ts';
import { nearestOf } from '../core/options/unknown.ts';
import { livePlatform, picsPlatform } from '../core/platform.ts';

/** A client and its mode: pages, photo-sharing with its own login, photo-sharing via Pages. */
export type ConnectionClient = 'page' | 'pics-login' | 'pics-pages';

/** What a function needs to succeed, with the usual options. */
export interface Requirement {
  /**
   * The token that it needs: of a Page, of the person who manages the Pages, of a photo-sharing account, any of the
   * first two, or none.
   */
  readonly token: 'page' | 'user' | 'account' | 'any' | 'none';
  /** As the platform names them, including those that others depend on: ask for all of them. Sorted. */
  readonly permissions: readonly string[];
  /** The task that the person needs on the Page; one of a list is enough. */
  readonly task?: string | readonly string[];
  /** Webhook fields that report what it reads. */
  readonly webhookFields?: readonly string[];
  /** Features that the platform must grant the app. No call can check whether it did. */
  readonly features?: readonly string[];
}

const editorTasks = ['CREATE_CONTENT', 'MANAGE', 'MODERATE'];
const readPage = ['pages_read_engagement', 'pages_show_list'];
const readContent = ['pages_read_engagement', 'pages_read_user_content', 'pages_show_list'];

function row(
  token: Requirement['token'],
  permissions: readonly string[],
  task?: Requirement['task'],
  webhookFields: readonly string[] = [],
): Requirement {
  return Object.freeze({
    token,
    permissions: Object.freeze(permissions.toSorted()),
    ...(task !== undefined && { task: Object.freeze(task) }),
    ...(webhookFields.length > 0 && { webhookFields: Object.freeze(webhookFields) }),
  });
}

function ofPage(
  permissions: readonly string[],
  task?: Requirement['task'],
  ...webhookFields: readonly string[]
): Requirement {
  return row('page', permissions, task, webhookFields);
}

function ofUser(...permissions: readonly string[]): Requirement {
  return row('user', permissions);
}

const noToken = row('none', []);
const publishing = ofPage(['pages_manage_posts', ...readPage], 'CREATE_CONTENT');
const video = ofPage(readPage, 'CREATE_CONTENT');
const insights = ofPage(['read_insights', ...readPage], 'ANALYZE');
const reading = ofPage(readContent, editorTasks, 'feed');
const moderating = ofPage(
  ['pages_manage_engagement', 'pages_read_user_content', 'pages_show_list'],
  'MODERATE',
);
const inbox = ['pages_manage_metadata', 'pages_messaging', ...readPage];
const messaging = ofPage(inbox, 'MESSAGING');
const templates = ofPage(['pages_utility_messaging', ...inbox], 'MESSAGING');
const readingMessages = ofPage(inbox, 'MESSAGING', 'messages');
const ofLeads = ofPage(
  ['ads_management', 'leads_retrieval', 'pages_manage_ads', ...readPage],
  'ADVERTISE',
  'leadgen',
);
const ofForms = ofPage(['pages_manage_ads', 'pages_show_list'], 'ADVERTISE');
const subscribing = ofPage(['pages_manage_metadata', 'pages_show_list'], editorTasks);

const ofPages: Readonly<Record<string, Requirement>> = {
  loginUrl: noToken,
  exchangeCode: noToken,
  permissions: ofUser(),
  grantedScopes: row('any', []),
  inspectToken: noToken,
  revoke: ofUser(),
  me: ofUser('public_profile'),
  pages: ofUser('pages_show_list'),
  pageDetails: ofUser('pages_show_list'),
  portfolioPages: ofUser('business_management', ...readPage),
  searchPlaces: ofUser(),
  publishPost: publishing,
  posts: reading,
  iteratePosts: reading,
  feed: reading,
  iterateFeed: reading,
  postDetails: ofPage(readPage, undefined, 'feed'),
  postInsights: insights,
  deletePost: publishing,
  publishPhoto: publishing,
  publishPhotos: publishing,
  publishVideo: publishing,
  publishReel: publishing,
  videos: video,
  reels: video,
  photos: ofPage(readPage),
  photoDetails: ofPage(readPage),
  deletePhoto: publishing,
  videoStatus: video,
  addCaptions: publishing,
  scheduledPosts: ofPage(readContent, editorTasks),
  updatePost: publishing,
  publishScheduledPost: publishing,
  pageProfile: ofPage(readPage),
  pageStatus: ofPage(['pages_manage_metadata', 'pages_show_list']),
  pageInsights: insights,
  videoInsights: insights,
  publishPhotoStory: publishing,
  publishVideoStory: publishing,
  videoStoryStatus: video,
  stories: video,
  conversations: readingMessages,
  messages: readingMessages,
  messageDetails: readingMessages,
  iterateConversations: readingMessages,
  iterateMessages: readingMessages,
  contact: messaging,
  sendMessage: messaging,
  privateReply: messaging,
  sendAction: messaging,
  sendReaction: messaging,
  uploadAttachment: messaging,
  threadOwner: messaging,
  takeThreadControl: messaging,
  passThreadControl: messaging,
  requestThreadControl: messaging,
  releaseThreadControl: messaging,
  messageTemplates: templates,
  createMessageTemplate: templates,
  deleteMessageTemplate: templates,
  messengerProfile: messaging,
  updateMessengerProfile: messaging,
  deleteMessengerProfile: messaging,
  comments: reading,
  iterateComments: reading,
  commentDetails: reading,
  publishComment: moderating,
  replyComment: moderating,
  hideComment: moderating,
  updateComment: moderating,
  deleteComment: moderating,
  like: moderating,
  reactions: reading,
  visitorPosts: reading,
  taggedPosts: ofPage(readContent, editorTasks),
  blockedUsers: moderating,
  blockUser: moderating,
  unblockUser: moderating,
  lead: ofLeads,
  leads: ofLeads,
  iterateLeads: ofLeads,
  leadForms: ofForms,
  leadForm: ofForms,
  createTestLead: ofForms,
  deleteTestLead: ofForms,
  adContext: ofUser('ads_read'),
  subscribePage: ofPage(['pages_manage_metadata', 'pages_messaging', 'pages_show_list'], 'MESSAGING'),
  subscriptions: subscribing,
  unsubscribePage: subscribing,
  appSubscriptions: noToken,
  subscribeApp: noToken,
  unsubscribeApp: noToken,
};

/** What the functions of both modes need besides `basic` and the permissions of the Page. */
const ofBothModes: Readonly<Record<string, readonly [names: readonly string[], ...webhookFields: string[]]>> =
  {
    publish: [['content_publish']],
    publishCarousel: [['content_publish']],
    publishStory: [['content_publish']],
    publishContainer: [['content_publish']],
    containerStatus: [[]],
    publishingLimit: [['content_publish']],
    profile: [[]],
    media: [[]],
    iterateMedia: [[]],
    mediaDetails: [[]],
    comments: [['manage_comments'], 'comments'],
    iterateComments: [['manage_comments'], 'comments'],
    commentDetails: [['manage_comments'], 'comments'],
    replies: [['manage_comments'], 'comments'],
    iterateReplies: [['manage_comments'], 'comments'],
    publishComment: [['manage_comments']],
    replyComment: [['manage_comments']],
    hideComment: [['manage_comments']],
    deleteComment: [['manage_comments']],
    setCommentsEnabled: [['manage_comments']],
    conversations: [['manage_messages'], 'messages'],
    messages: [['manage_messages'], 'messages'],
    messageDetails: [['manage_messages'], 'messages'],
    iterateConversations: [['manage_messages'], 'messages'],
    iterateMessages: [['manage_messages'], 'messages'],
    contact: [['manage_messages']],
    sendMessage: [['manage_messages']],
    privateReply: [['manage_comments', 'manage_messages']],
    sendAction: [['manage_messages']],
    sendReaction: [['manage_messages']],
    uploadAttachment: [['manage_messages']],
    passThreadControl: [['manage_messages']],
    releaseThreadControl: [['manage_messages']],
    messengerProfile: [['manage_messages']],
    updateMessengerProfile: [['manage_messages']],
    deleteMessengerProfile: [['manage_messages']],
    replyMention: [['manage_comments'], 'mentions'],
    taggedMedia: [['manage_comments']],
    insights: [['manage_insights']],
    insightSeries: [['manage_insights']],
    mediaInsights: [['manage_insights']],
    demographics: [['manage_insights']],
  };

export const picsScopePrefix = livePlatform.words.picsScopePrefix;

function ofLogin(names: readonly string[], ...webhookFields: readonly string[]): Requirement {
  const permissions = ['basic', ...names].map((name) => `${picsScopePrefix}business_${name}`);
  return row('account', permissions, undefined, webhookFields);
}

function viaPages(names: readonly string[], ...webhookFields: readonly string[]): Requirement {
  const permissions = [...readPage, ...['basic', ...names].map((name) => picsScopePrefix + name)];
  // An account's inbox belongs to its Page, and a private reply needs both inboxes.
  const isOfInbox = names.includes('manage_messages');
  if (isOfInbox) permissions.push('pages_manage_metadata');
  if (isOfInbox && names.includes('manage_comments')) permissions.push('pages_messaging');
  return row('page', permissions, isOfInbox ? 'MESSAGING' : undefined, webhookFields);
}

const liking = row('page', [...viaPages(['manage_engagement']).permissions, 'pages_read_user_content']);
const shopping = row('page', [...viaPages(['shopping_tag_products']).permissions, 'catalog_management']);
const searching: Requirement = Object.freeze({
  ...viaPages([]),
  features: Object.freeze([
    `${picsPlatform.replace(/^./, (first) => first.toUpperCase())} Public Content Access`,
  ]),
});

function inMode(make: typeof ofLogin): Record<string, Requirement> {
  return Object.fromEntries(Object.entries(ofBothModes).map(([name, needs]) => [name, make(...needs)]));
}

/**
 * What each function needs, by client and mode. A function that a mode lacks is absent.
 *
 * The requirements are those of a call with the usual options: `subscribePage`, for example, with its default fields,
 * which include those of the inbox.
 *
 * @example
 * import { requirements } from 'pagepics/connections';
 * console.log(requirements.page['publishPost']?.permissions);
 */
export const requirements: Readonly<Record<ConnectionClient, Readonly<Record<string, Requirement>>>> =
  Object.freeze({
    page: Object.freeze(ofPages),
    'pics-login': Object.freeze({
      loginUrl: noToken,
      exchangeCode: noToken,
      refreshToken: ofLogin([]),
      ...inMode(ofLogin),
      subscribeAccount: ofLogin(['manage_comments', 'manage_messages']),
    }),
    'pics-pages': Object.freeze({
      inspectToken: noToken,
      ...inMode(viaPages),
      deleteMedia: viaPages(['manage_contents']),
      mediaPoll: viaPages([]),
      promptResponses: viaPages([]),
      stories: viaPages([]),
      mentionedMedia: viaPages(['manage_comments'], 'mentions'),
      mentionedComment: viaPages(['manage_comments'], 'mentions'),
      likeMedia: liking,
      businessDiscovery: viaPages(['manage_insights']),
      hashtagId: searching,
      hashtagMedia: searching,
      recentHashtags: searching,
      collaborationInvites: viaPages([]),
      answerInvite: viaPages([]),
      collaborators: viaPages([]),
      searchAudio: viaPages(['content_publish']),
      productCatalogs: shopping,
      searchProducts: shopping,
      productTags: shopping,
      updateProductTags: shopping,
    }),
  });

/**
 * The fewest permissions to ask for in the login so that these functions work: each once, sorted.
 *
 * Fails with ConfigurationError when `client` or one of `functions` is unknown.
 *
 * @example
 * const scopes = scopesFor('page', ['publishPost', 'comments']);
 * if (scopes.isOk()) console.log(loginUrl(context, { redirectUri, state, scopes: scopes.value }));
 */
export function scopesFor(
  client: ConnectionClient,
  functions: readonly string[],
): Result<readonly string[], ConfigurationError> {
  if (typeof client !== 'string' || !Object.hasOwn(requirements, client)) {
    const known = Object.keys(requirements).join(', ');
    return err(new ConfigurationError(`client must be one of ${known}`, 'client'));
  }
  const names = readable(() => (Array.isArray(functions) ? [...functions] : functions));
  const fault = unknownFunction(client, names);
  if (fault !== undefined) return err(fault);
  const needed = [names].flat().flatMap((name) => requirements[client][name]?.permissions ?? []);
  return ok([...new Set(needed)].toSorted());
}

/** The error for the first of these functions that a client does not have; `undefined` if it has all. */
export function unknownFunction(
  client: ConnectionClient,
  functions: unknown,
  known: object = requirements[client],
): ConfigurationError | undefined {
  if (!Array.isArray(functions)) return new ConfigurationError('functions must be a list', 'functions');
  const at = functions.findIndex((name) => typeof name !== 'string' || !Object.hasOwn(known, name));
  if (at === -1) return undefined;
  const name: unknown = functions[at];
  // A token passed by mistake is not shown.
  const given = typeof name === 'string' && /^[a-z]{1,40}$/i.test(name) ? ` (${name})` : '';
  const nearest = typeof name === 'string' ? nearestOf(name, Object.keys(known)) : undefined;
  const hint = nearest === undefined ? '' : `: did you mean ${nearest}?`;
  const option = `functions[${at}]`;
  return new ConfigurationError(`${option}${given} is not a function of ${client}${hint}`, option);
}
