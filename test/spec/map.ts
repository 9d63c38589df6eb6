/** A test: its file below `test/`, without `.test.ts`, and its title as the file writes it. */
type Shown = `${string}: ${string}`;

/** The rows of a table, each with the tests that show it. */
export type Rows = Readonly<Record<string, readonly [Shown, ...Shown[]]>>;

/**
 * The tables of the functional specification, with the tests that show each of their rows.
 *
 * Methods have the specification's names. Limits of the platform itself are shown by tests of the sandbox.
 */
export const construction: Readonly<Record<string, Rows>> = {
  'Construction parameters': {
    'PageClient app_id': [
      'core/context: need a %s',
      'page/loginUrl: leads to the dialog of the version, and asks for the scopes',
    ],
    'PageClient app_secret': [
      'core/context: need a %s',
      'core/http/proof: is the hex HMAC-SHA256 of the token, keyed by the secret',
    ],
    'PageClient config_id': [
      'page/loginUrl: takes the configuration of the context, unless the call has its own',
    ],
    'PicsClient app_id': [
      'pics/context: login mode speaks to the photo-sharing graph, and takes empty keys',
      'pics/loginUrl: refuses a bad %s',
    ],
    'PicsClient app_secret': [
      'pics/context: page mode needs the secret: %j',
      'pics/refreshToken: sends no proof without a secret',
    ],
    'both timeout, retry, session, license_key': [
      'core/context: refuses a bad %s: %j',
      'core/context: never sends the license key',
      'core/context: looks the global fetch up at each call',
      'pics/context: what is no variable reaches the context beside the environment',
    ],
  },
  'Environment variables': {
    PAGE_APP_ID: ['core/context: read what is given', 'core/context: name a missing %s'],
    PAGE_APP_SECRET: ['core/context: read what is given', 'core/context: name a missing %s'],
    PAGE_CONFIG_ID: ['core/context: read what is given', 'core/context: take an empty variable for none'],
    PICS_APP_ID: ['core/context: read what is given'],
    PICS_APP_SECRET: ['core/context: read what is given'],
    GRAPH_VERSION: ['core/context: read what is given', 'core/context: take an empty variable for none'],
    SDK_LICENSE_KEY: ['core/context: read what is given', 'core/context: give way to options'],
  },
};

export const data: Readonly<Record<string, Rows>> = {
  Models: {
    TokenBundle: [
      'models/tokenBundle: is read from an answer that is %s',
      'models/tokenBundle: ends when the answer says, by the clock of the context',
    ],
    'Profile (page client)': [
      'page/me: reads the profile, with the address of the picture',
      'page/me: has neither email nor picture where the platform gives none',
    ],
    'Profile (photo-sharing client)': [
      'pics/profile: reads the own account in login mode, ids exact',
      'pics/profile: asks the page graph for no login-mode fields in page mode',
    ],
    Page: [
      'page/pages: reads the Pages with token, tasks and linked account',
      'page/pages: shows the page token by its name only',
    ],
    LeadForm: ['page/leadForms: reads the forms of the Page, whose language is the locale of the platform'],
    Lead: [
      'page/lead: reads the whole lead',
      'page/lead: writes one value as a string, several as an array, and none as an empty one',
    ],
  },
  'Raw dictionary results': {
    publish_photo_story: [
      'page/publishPhotoStory: uploads the photo unpublished, then makes the story of it',
    ],
    publish_video_story: [
      'page/publishVideoStory: starts, has the hosted file fetched, waits for it and finishes',
    ],
    'stories (page client)': ['page/stories: asks for the stories of the page, without naming fields'],
    video_story_status: [
      'page/videoStoryStatus: asks for the status and hands out its phases',
      'page/videoStoryStatus: hands out one spelling, whichever the platform uses',
    ],
    ad_context: ['page/adContext: reads ad, ad set and campaign into one'],
    'publish (photo-sharing) / publish_story / publish_container': [
      'pics/publish: makes a container of an image and publishes it at once in %s mode',
      'pics/publishStory: publishes %s',
      'pics/publishContainer: looks first and publishes a container that is ready in %s mode',
    ],
    publish_carousel: [
      'pics/publishCarousel: makes the children, then the carousel, and publishes it in %s mode',
    ],
    contact: ['pics/contact: reads the profile in %s mode', 'pics/contact: says why a profile is closed'],
    conversations: [
      'pics/conversations: in login mode reads those of the token’s owner, each with its customer',
    ],
    messages: ['pics/messages: reads one page in %s mode'],
    'insights (photo-sharing)': ['pics/insights: reads the last 30 days in %s mode'],
    demographics: ['pics/demographics: asks for each cut alone in %s mode'],
  },
  'States and transitions': {
    'Video story phase': [
      'page/videoStoryStatus: asks for the status and hands out its phases',
      'sandbox/stories: moves through its phases by the clock',
    ],
    'Photo-sharing media container': [
      'pics/publish: ends at once at %s, with the reason',
      'pics/publishContainer: fails with ContainerNotReadyError at %s',
    ],
    Story: [
      'sandbox/stories: is made of an unpublished photo and listed for 24 hours',
      'e2e/pics: a story is published, and lives for a day',
    ],
    'Unpublished uploaded photo': [
      'sandbox/stories: takes no photo twice, none that was posted, none after 24 hours',
    ],
    'Rule 1: ContainerNotReadyError carries container_id': [
      'pics/publish: ends after 300 seconds with a look at the very end, and names the container',
      'pics/publish: ends at once at %s, with the reason',
    ],
    'Rule 2: the ApiError of a late upload keeps video_id': [
      'page/publishVideoStory: looks ever more rarely, and for the last time when the wait is over',
    ],
  },
};

/** Tables of which each row is a function of `pagepics/page`. */
export const pageMethods: Readonly<Record<string, Rows>> = {
  'Page client: login and tokens': {
    exchange_code: [
      'page/exchangeCode: exchanges the code for a short-lived token, and that for the long-lived one',
      'page/exchangeCode: fails with ApiError when the first answer has no token: %j',
      'page/exchangeCode: fails with ApiError when the second answer has no token: the code is used up',
      'e2e/page: a login gives a token, which names the user and the Pages, until it is revoked',
    ],
    granted_scopes: [
      'page/grantedScopes: asks with the token of the app what the token may do',
      'page/grantedScopes: is empty for a token that %s',
      'e2e/page: a login gives a token, which names the user and the Pages, until it is revoked',
    ],
    login_url: [
      'page/loginUrl: leads to the dialog of the version, and asks for the scopes',
      'page/loginUrl: turns to the business login with a configuration, without any scope',
      'e2e/page: the business login sends the configuration and no scope',
    ],
    revoke: [
      'page/revoke: deletes the permissions of the user that the token belongs to',
      'page/revoke: deletes those of another user by id',
      'e2e/page: a login gives a token, which names the user and the Pages, until it is revoked',
    ],
  },
  'Page client: profile and Pages': {
    me: [
      'page/me: reads the profile, with the address of the picture',
      'page/me: fails for a page token as the platform says',
      'e2e/page: a login gives a token, which names the user and the Pages, until it is revoked',
    ],
    pages: [
      'page/pages: reads the Pages with token, tasks and linked account',
      'page/pages: walks the pages of the list, and stops at 500',
      'e2e/page: the Pages come with their tokens and linked accounts',
    ],
  },
  'Page client: webhook subscription': {
    subscribe_page: [
      'page/subscribePage: subscribes to the events that apps want when none are named',
      'page/subscribePage: fails with PermissionError when an event needs another permission',
      'e2e/page: a Page is subscribed to the webhook, and no longer',
    ],
    subscriptions: [
      'page/subscriptions: reads the list as the platform sent it',
      'e2e/page: a Page is subscribed to the webhook, and no longer',
    ],
    unsubscribe_page: [
      'page/unsubscribePage: deletes the subscription',
      'e2e/page: a Page is subscribed to the webhook, and no longer',
    ],
  },
  'Page client: posts and insights': {
    posts: [
      'page/posts: reads what the Page has published, 25 posts unless told',
      'page/posts: counts the limit over the pages of the list, which may be short, empty and paged by time',
      'e2e/page: a post is published, listed, measured and deleted',
    ],
    publish_post: [
      'page/publishPost: posts the text and the link to the feed of the page',
      'page/publishPost: sends published=false for a post that is kept back',
      'page/publishPost: never sends a time to publish at',
      'e2e/page: a post is published, listed, measured and deleted',
    ],
    delete_post: [
      'page/deletePost: deletes the post, whether success is written as a flag or as text: %j',
      'e2e/page: a post is published, listed, measured and deleted',
    ],
    post_insights: [
      'page/postInsights: reads the metrics of the post at once, and does not follow their paging',
      'page/postInsights: returns the living metrics when a dead one fails the batch',
      'page/postInsights: is empty when no metric lives',
      'e2e/page: a post is published, listed, measured and deleted',
    ],
  },
  'Page client: Page stories': {
    publish_photo_story: [
      'page/publishPhotoStory: uploads the photo unpublished, then makes the story of it',
      'page/publishPhotoStory: uploads nothing for a photo that is there',
      'page/publishPhotoStory: names the photo when the story is refused',
      'page/publishPhotoStory: refuses a bad %s before anything is sent',
      'e2e/page: a photo becomes a story, from an address and from an uploaded photo',
    ],
    publish_video_story: [
      'page/publishVideoStory: starts, has the hosted file fetched, waits for it and finishes',
      'page/publishVideoStory: sends the bytes of a file without token or proof in the address',
      'page/publishVideoStory: refuses a bad %s before anything is sent',
      'page/publishVideoStory: ends the wait at once when %s',
      'page/videoUpload: goes on after each cut where the platform stopped',
      'e2e/page: a video becomes a story, from bytes and from an address',
    ],
    stories: [
      'page/stories: asks for the stories of the page, without naming fields',
      'page/stories: counts its limit over all pages',
      'sandbox/stories: stays in the archive of a Page that has one',
      'e2e/page: a photo becomes a story, from an address and from an uploaded photo',
    ],
    video_story_status: [
      'page/videoStoryStatus: asks for the status and hands out its phases',
      'e2e/page: a video becomes a story, from bytes and from an address',
    ],
  },
  'Page client: comments': {
    comments: [
      'page/comments: reads the newest 50 comments unless told, without a filter',
      'page/comments: counts the limit over the pages of the list',
      'page/comments: fails with PermissionError when the user may not moderate',
      'e2e/page: comments are listed without replies, answered, hidden and shown',
    ],
    hide_comment: [
      'page/hideComment: hides the comment',
      'page/hideComment: shows the comment again',
      'e2e/page: comments are listed without replies, answered, hidden and shown',
    ],
    reply_comment: [
      'page/replyComment: posts the reply below the comment',
      'e2e/page: comments are listed without replies, answered, hidden and shown',
    ],
  },
  'Page client: lead ads': {
    ad_context: [
      'page/adContext: reads ad, ad set and campaign into one',
      'page/adContext: is empty without an ad, and sends nothing: %j',
      'page/adContext: is empty when the platform %s',
      'e2e/page: leads are read by form, by time and by id, with the ad that they came from',
    ],
    lead: [
      'page/lead: reads the whole lead',
      'page/lead: fails with PermissionError when the permission is missing',
      'e2e/page: leads are read by form, by time and by id, with the ad that they came from',
    ],
    lead_forms: [
      'page/leadForms: reads the forms of the Page, whose language is the locale of the platform',
      'page/leadForms: walks the pages of the list, up to the limit',
      'e2e/page: leads are read by form, by time and by id, with the ad that they came from',
    ],
    leads: [
      'page/leads: asks only for those made after %s',
      'page/leads: walks the pages of the list, and stops at 200 unless told',
      'e2e/page: leads are read by form, by time and by id, with the ad that they came from',
    ],
  },
};

/** Functions that make clients. */
export const picsMakers: Rows = {
  'PicsClient constructor': [
    'pics/context: login mode speaks to the photo-sharing graph, and takes empty keys',
  ],
  from_env: [
    'core/context: read what is given',
    'pics/context: what is no variable reaches the context beside the environment',
  ],
  via_pages: [
    'pics/context: page mode speaks to the page graph, and needs no app id',
    'e2e/pics: what exists in the other mode only is refused, and nothing is sent',
    'pics/conversations: refuses page mode with %j as Page',
    'pics/sendMessage: refuses page mode with %j as Page',
  ],
  'PageClient.from_env': [
    'core/context: read what is given',
    'core/context: give way to options',
    'core/context: name a missing %s',
  ],
};

/** Tables of which each row is a function of `pagepics/pics`. */
export const picsMethods: Readonly<Record<string, Rows>> = {
  'Photo-sharing client: connection and tokens': {
    login_url: [
      'pics/loginUrl: leads to the authorize dialog with all the default scopes',
      'pics/loginUrl: asks for the scopes given, in the words of the platform, and sends no state of its own',
      'pics/loginUrl: refuses a bad %s',
      'e2e/pics: a login gives a token, which is refreshed a day later',
    ],
    exchange_code: [
      'pics/exchangeCode: exchanges the code for a short-lived token, and that for a long-lived one',
      'pics/exchangeCode: fails with ApiError when no short-lived token arrives',
      'e2e/pics: a login gives a token, which is refreshed a day later',
    ],
    refresh_token: [
      'pics/refreshToken: renews the token at the address without a version',
      'pics/refreshToken: fails with what the platform said of a token that is too young',
      'pics/refreshToken: fails with ApiError when no token arrives',
      'e2e/pics: a login gives a token, which is refreshed a day later',
    ],
  },
  'Photo-sharing client: profile and media': {
    media: [
      'pics/media: lists the posts of the own account in login mode',
      'pics/media: walks the pages in page mode, up to the limit over all of them',
      'pics/media: refuses a bad %s before anything is sent',
      'e2e/pics: the profile and the media are read',
    ],
    media_details: [
      'pics/mediaDetails: reads one post in %s mode',
      'e2e/pics: the profile and the media are read',
    ],
    profile: [
      'pics/profile: reads the own account in login mode, ids exact',
      'pics/profile: asks the page graph for no login-mode fields in page mode',
      'pics/profile: refuses a bad %s before anything is sent',
      'e2e/pics: the profile and the media are read',
    ],
  },
  'Photo-sharing client: publishing': {
    publish: [
      'pics/publish: makes a container of an image and publishes it at once in %s mode',
      'pics/publish: publishes a video as a Reel, shown %s',
      'pics/publish: ends after 300 seconds with a look at the very end, and names the container',
      'pics/publish: ends at once at %s, with the reason',
      'pics/publish: is refused before anything is sent: %s',
      'e2e/pics: an image and a Reel are published, and count against the quota',
    ],
    publish_carousel: [
      'pics/publishCarousel: makes the children, then the carousel, and publishes it in %s mode',
      'pics/publishCarousel: takes the first 10 of more images, in their order, all at once',
      'pics/publishCarousel: fails with ContainerNotReadyError, and names carousel and children',
      'pics/publishCarousel: refuses a bad %s before anything is sent',
      'e2e/pics: a carousel is published with its images in their order',
    ],
    publish_container: [
      'pics/publishContainer: waits for one that is not ready',
      'pics/publishContainer: fails with ContainerNotReadyError at %s',
      'e2e/pics: a container that takes a while is finished by another call, once',
    ],
    publish_story: [
      'pics/publishStory: publishes %s',
      'pics/publishStory: refuses a bad %s before anything is sent',
      'e2e/pics: a story is published, and lives for a day',
    ],
    stories: [
      'pics/stories: lists the active stories of the account',
      'pics/stories: always asks for media_product_type, once, beside %j',
      'pics/stories: refuses a bad %s before anything is sent',
      'e2e/pics: a story is published, and lives for a day',
    ],
    // Below the table: the endpoint of the quota, and the states of containers.
    publishing_limit: [
      'pics/publishingLimit: reads the quota in %s mode',
      'e2e/pics: an image and a Reel are published, and count against the quota',
    ],
    container_status: [
      'pics/containerStatus: reads the state in %s mode',
      'e2e/pics: a container that takes a while is finished by another call, once',
    ],
  },
  'Photo-sharing client: comments': {
    comments: [
      'pics/comments: asks for the fields of a comment, 50 at once',
      'pics/comments: counts the limit over all pages, and asks for no more than 50 at once',
      'e2e/pics: comments are listed, answered, hidden, shown and deleted',
    ],
    delete_comment: [
      'pics/deleteComment: deletes the comment in %s mode',
      'e2e/pics: comments are listed, answered, hidden, shown and deleted',
    ],
    hide_comment: [
      'pics/hideComment: says in the query what to do, in %s mode',
      'e2e/pics: comments are listed, answered, hidden, shown and deleted',
    ],
    reply_comment: [
      'pics/replyComment: posts the reply in %s mode',
      'e2e/pics: comments are listed, answered, hidden, shown and deleted',
    ],
  },
  'Photo-sharing client: direct messages': {
    contact: [
      'pics/contact: reads the profile in %s mode',
      'pics/contact: says why a profile is closed',
      'pics/contact: does not fail when the network does',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
    conversations: [
      'pics/conversations: in login mode reads those of the token’s owner, each with its customer',
      'pics/conversations: in page mode reads those of the Page',
      'pics/conversations: reads each profile once, and keeps going where one is closed',
      'pics/conversations: tells the business from the customer by %s',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
    messages: [
      'pics/messages: reads one page in %s mode',
      'pics/messages: asks for the page after a cursor, and returns links without token and proof',
      'pics/messages: fails with what the platform said of messages that are too old',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
    send_message: [
      'pics/sendMessage: sends the text as JSON in %s',
      'pics/sendMessage: sends 1000 bytes of %s, and not one more',
      'pics/sendMessage: fails with PermissionError outside the window (10/%i)',
      'pics/sendMessage: refuses page mode with %j as Page',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
  },
  'Beyond the specification: direct messages, walked over their pages': {
    iterate_conversations: [
      'pics/iterateConversations: walks all pages to the last, each conversation and each profile once',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
    iterate_messages: [
      'pics/iterateMessages: walks all pages to the last, and gives each message once',
      'e2e/pics: conversations tell the customer, who is answered within a day',
    ],
  },
  'Photo-sharing client: webhook subscription': {
    subscribe_account: [
      'pics/subscribeAccount: subscribes the token’s owner to the default events',
      'pics/subscribeAccount: refuses page mode before anything is sent',
      'e2e/pics: the account is subscribed to the webhook',
    ],
  },
  'Photo-sharing client: insights': {
    demographics: [
      'pics/demographics: asks for each cut alone in %s mode',
      'pics/demographics: a cut that fails does not take the others with it',
      'e2e/pics: insights of the account, its followers and its media are read',
    ],
    insights: [
      'pics/insights: reads the last 30 days in %s mode',
      'pics/insights: never asks for more than 30 days, nor for the future, whatever the days',
      'pics/insights: fails with what the platform said when it refuses',
      'e2e/pics: insights of the account, its followers and its media are read',
    ],
    media_insights: [
      'pics/mediaInsights: asks for the metrics of %s',
      'pics/mediaInsights: is empty when no metric lives',
      'e2e/pics: insights of the account, its followers and its media are read',
    ],
  },
};

export const shared: Readonly<Record<string, Rows>> = {
  'Low-level methods': {
    request: [
      'core/lowLevel/request: sends lists with commas, objects as JSON, and leaves null and undefined out',
      'core/lowLevel/request: takes an absolute address as it is, and adds nothing',
      'core/lowLevel/request: sends a plain object as a form',
      'core/lowLevel/request: returns whatever JSON came, with exact ids',
      'core/http/retry: are as long as Retry-After says, in seconds or as a date',
    ],
    'get / post / delete': ['core/lowLevel/request: has short forms'],
    paginate: [
      'core/lowLevel/paginate: asks for a hundred at once, and for five hundred in all',
      'core/lowLevel/paginate: counts over short and empty pages, and ends without a next link',
    ],
    close: [
      'core/http/abort: ends what is in flight and what waits, and whatever comes later',
      'core/http/abort: can be called again, and leaves other contexts and the fetch alone',
      'core/http/abort: is what a client does at the end of its block',
    ],
  },
  Authentication: {
    '1. access_token in the query, OAuth header at the upload': [
      'page/publishPost: posts the text and the link to the feed of the page',
      'page/videoUpload: sends exactly the bytes of %s, and how many they are',
      'sandbox/stories: wants OAuth in the header and nothing in the query',
    ],
    '2. kinds of token': [
      'page/grantedScopes: asks with the token of the app what the token may do',
      'sandbox/tokens: a user token where a Page token is needed: 210',
      'sandbox/tokens: a Page token where a user token is needed: the edge does not exist',
    ],
    '3. life of tokens': [
      'models/tokenBundle: ends when the answer says, by the clock of the context',
      'page/exchangeCode: knows no end of a token whose expires_in is %s',
    ],
    '4. appsecret_proof': [
      'core/http/proof: is the hex HMAC-SHA256 of the token, keyed by the secret',
      'core/lowLevel/paginate: adds the proof to each page again',
      'core/lowLevel/request: takes an absolute address as it is, and adds nothing',
      'sandbox/tokens: must be the right one, even where none is needed',
    ],
    '5. login-mode tokens': ['sandbox/pics/tokens: are refreshed from 24 hours of age until they expire'],
    '6. login flow': [
      'e2e/page: a login gives a token, which names the user and the Pages, until it is revoked',
      'e2e/pics: a login gives a token, which is refreshed a day later',
    ],
    '7. licence key': ['core/context: give way to options', 'core/context: never sends the license key'],
    '8. no exposure of tokens and secret': [
      'core/http/redaction: no secret is in the error, nor in what the hooks are told',
      'core/http/redaction: show no secret, however they are looked at',
    ],
  },
  Events: {
    'Page webhook fields': [
      'page/subscribePage: subscribes to the events that apps want when none are named',
    ],
    'Photo-sharing account webhook fields': [
      'pics/subscribeAccount: subscribes the token’s owner to the default events',
    ],
    'Enabling events': [
      'e2e/page: a Page is subscribed to the webhook, and no longer',
      'e2e/pics: the account is subscribed to the webhook',
    ],
    'leadgen event content': [
      'page/lead: reads the whole lead',
      'page/leads: asks only for those made after %s',
      'examples: %s runs on a served sandbox and shows what it did',
    ],
    'Page mode photo-sharing events': ['pics/subscribeAccount: refuses page mode before anything is sent'],
  },
  Errors: {
    'ConfigurationError: empty app_id or app_secret, from_env too': [
      'core/client/bind: throw at once where they cannot be made',
      'core/context: need a %s',
      'core/context: name a missing %s',
    ],
    'ConfigurationError: photo-sharing login_url without app_id': ['pics/loginUrl: refuses a bad %s'],
    'ConfigurationError: page mode without pics_user_id or page_id': [
      'pics/profile: refuses a bad %s before anything is sent',
      'pics/publish: is refused before anything is sent: %s',
      'pics/insights: refuses page mode with %j as account',
      'pics/conversations: refuses page mode with %j as Page',
      'pics/sendMessage: refuses page mode with %j as Page',
    ],
    'ConfigurationError: publish_carousel with fewer than 2 images': [
      'pics/publishCarousel: refuses a bad %s before anything is sent',
    ],
    'ConfigurationError: publish_story with both': [
      'pics/publishStory: refuses a bad %s before anything is sent',
    ],
    'ConfigurationError: stories in login mode': [
      'pics/stories: refuses a bad %s before anything is sent',
      'e2e/pics: what exists in the other mode only is refused, and nothing is sent',
    ],
    'ConfigurationError: subscribe_account in page mode': [
      'pics/subscribeAccount: refuses page mode before anything is sent',
    ],
    'ApiError: exchange_code or refresh_token gets no token': [
      'page/exchangeCode: fails with ApiError when the first answer has no token: %j',
      'pics/exchangeCode: fails with ApiError when no short-lived token arrives',
      'pics/refreshToken: fails with ApiError when no token arrives',
    ],
    'ApiError: publish_video_story times out': [
      'page/publishVideoStory: looks ever more rarely, and for the last time when the wait is over',
    ],
    'ApiError: insights rejected': ['pics/insights: fails with what the platform said when it refuses'],
    ContainerNotReadyError: [
      'pics/publish: ends after 300 seconds with a look at the very end, and names the container',
      'pics/publish: ends at once at %s, with the reason',
      'pics/publishStory: fails with ContainerNotReadyError when the container failed',
      'pics/publishCarousel: fails with ContainerNotReadyError, and names carousel and children',
    ],
    RateLimitError: [
      'core/http/retry: code %i at HTTP %i is sent three times and ends as a RateLimitError',
      'page/leads: fails with RateLimitError when the rate is limited to the last',
    ],
    TransportError: [
      'core/http/retry: say what the network said',
      'core/http/abort: an attempt that takes too long is a timeout; a read is tried again, a write is not',
    ],
    PermissionError: [
      'pics/sendMessage: fails with PermissionError outside the window (10/%i)',
      'core/http/refusal: a permission refused is a PermissionError',
    ],
    'never raises: post_insights': ['page/postInsights: is empty, and does not ask for each metric, when %s'],
    'never raises: media_insights': ['pics/mediaInsights: is empty on %s, without asking for each metric'],
    'never raises: ad_context': ['page/adContext: is empty when the platform %s'],
    'never raises: contact': [
      'pics/contact: does not fail on %s',
      'pics/contact: does not fail when the network does',
    ],
    'never raises: demographics': [
      'pics/demographics: a cut that fails does not take the others with it',
      'pics/demographics: does not fail when the network does',
    ],
    'never raises: granted_scopes': ['page/grantedScopes: is empty when the platform %s'],
    'Retried statuses': [
      'core/http/retry: HTTP %i is sent again, whatever is in it',
      'core/http/retry: HTTP %i is not',
    ],
  },
  Limits: {
    'Pages returned': ['page/pages: walks the pages of the list, and stops at 500'],
    'paginate max_items / page_size': [
      'core/lowLevel/paginate: asks for a hundred at once, and for five hundred in all',
    ],
    'posts limit': ['page/posts: reads what the Page has published, 25 posts unless told'],
    'stories limit': [
      'page/stories: asks for the stories of the page, without naming fields',
      'pics/stories: lists the active stories of the account',
    ],
    'comments limit': ['page/comments: reads the newest 50 comments unless told, without a filter'],
    'leads limit': ['page/leads: walks the pages of the list, and stops at 200 unless told'],
    'media limit': ['pics/media: lists the posts of the own account in login mode'],
    'conversations limit': [
      'pics/conversations: in login mode reads those of the token’s owner, each with its customer',
    ],
    'messages limit': ['pics/messages: reads one page in %s mode'],
    wait_timeout: ['e2e/waits: %s waits 300 seconds for its media unless told'],
    upload_attempts: ['page/videoUpload: ends when the tries are used up, and names the video'],
    'Photo story image': [
      'sandbox/stories: takes public addresses of images only',
      'page/publishPhotoStory: makes no story when the upload is refused',
    ],
    'Unpublished uploaded photo': [
      'sandbox/stories: takes no photo twice, none that was posted, none after 24 hours',
    ],
    'Video story file': [
      'sandbox/stories: fails in a phase, or for its quality, with a text',
      'page/publishVideoStory: ends the wait at once when %s',
    ],
    'Story lifetime': [
      'sandbox/stories: is made of an unpublished photo and listed for 24 hours',
      'e2e/pics: a story is published, and lives for a day',
    ],
    'Photo-sharing daily publishing': [
      'pics/publish: fails with the quota, and names the container',
      'sandbox/pics/publish: stops at the daily cap, over a sliding day',
      'sandbox/pics/account: counts what was published in the last 24 hours (%s)',
    ],
    'Carousel size': [
      'pics/publishCarousel: takes the first 10 of more images, in their order, all at once',
      'pics/publishCarousel: refuses a bad %s before anything is sent',
    ],
    'Container lifetime': [
      'pics/publishContainer: fails with ContainerNotReadyError at %s',
      'sandbox/pics/publish: loses a container after 24 hours, and one that never was',
    ],
    'Story image / video': ['pics/publishStory: fails with ContainerNotReadyError when the container failed'],
    'Message window / size': [
      'pics/sendMessage: sends 1000 bytes of %s, and not one more',
      'pics/sendMessage: counts the bytes that are sent, whatever the text',
      'sandbox/pics/messages: is allowed for 24 hours after the message of the other side',
    ],
    'Conversation detail': [
      'pics/messages: fails with what the platform said of messages that are too old',
      'sandbox/pics/messages: come with details for the newest 20 only',
    ],
    Demographics: [
      'pics/demographics: takes %s for numbers that are not given',
      'sandbox/pics/insights: need 100 followers',
    ],
    'Insights range': [
      'pics/insights: never asks for more than 30 days, nor for the future, whatever the days',
      'sandbox/pics/insights: answer the five totals of up to 30 days',
    ],
    'Token lifetimes': [
      'models/tokenBundle: ends when the answer says, by the clock of the context',
      'sandbox/login: works once',
      'sandbox/pics/tokens: come short-lived, with a bare user_id, and become long-lived',
    ],
    'Refresh eligibility': [
      'pics/refreshToken: fails with what the platform said of a token that is too young',
      'sandbox/pics/tokens: are refreshed from 24 hours of age until they expire',
    ],
  },
  Versioning: {
    '1. the release': ['spec/map: the release is the one that the specification describes'],
    '2. the version of the platform': [
      'core/context: has the documented defaults',
      'core/context: joins address and version',
    ],
    '3. retired features': [
      'page/postInsights: returns the living metrics when a dead one fails the batch',
      'pics/publish: publishes a video as a Reel, shown %s',
    ],
  },
};
