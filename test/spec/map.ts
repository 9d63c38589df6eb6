/** The rows of a table, each with the test files that show it: their paths below `test/`, without `.test.ts`. */
export type Rows = Readonly<Record<string, readonly [file: string, ...files: string[]]>>;

/**
 * The tables of the functional specification, with the tests that show each of their rows.
 *
 * Methods have the specification's names. Limits of the platform itself are shown by tests of the sandbox.
 */
export const construction: Readonly<Record<string, Rows>> = {
  'Construction parameters': {
    'PageClient app_id': ['core/context', 'page/loginUrl'],
    'PageClient app_secret': ['core/context', 'core/http/proof'],
    'PageClient config_id': ['page/loginUrl'],
    'PicsClient app_id': ['pics/context', 'pics/loginUrl'],
    'PicsClient app_secret': ['pics/context', 'pics/refreshToken'],
    'both timeout, retry, session, license_key': ['core/context', 'pics/context'],
  },
  'Environment variables': {
    PAGE_APP_ID: ['core/context'],
    PAGE_APP_SECRET: ['core/context'],
    PAGE_CONFIG_ID: ['core/context'],
    PICS_APP_ID: ['core/context'],
    PICS_APP_SECRET: ['core/context'],
    GRAPH_VERSION: ['core/context'],
    SDK_LICENSE_KEY: ['core/context'],
  },
};

export const data: Readonly<Record<string, Rows>> = {
  Models: {
    TokenBundle: ['models/tokenBundle'],
    'Profile (page client)': ['page/me'],
    'Profile (photo-sharing client)': ['pics/profile'],
    Page: ['page/pages'],
    LeadForm: ['page/leadForms'],
    Lead: ['page/lead'],
  },
  'Raw dictionary results': {
    publish_photo_story: ['page/publishPhotoStory'],
    publish_video_story: ['page/publishVideoStory'],
    'stories (page client)': ['page/stories'],
    video_story_status: ['page/videoStoryStatus'],
    ad_context: ['page/adContext'],
    'publish (photo-sharing) / publish_story / publish_container': [
      'pics/publish',
      'pics/publishStory',
      'pics/publishContainer',
    ],
    publish_carousel: ['pics/publishCarousel'],
    contact: ['pics/contact'],
    conversations: ['pics/conversations'],
    messages: ['pics/messages'],
    'insights (photo-sharing)': ['pics/insights'],
    demographics: ['pics/demographics'],
  },
  'States and transitions': {
    'Video story phase': ['page/videoStoryStatus', 'sandbox/stories'],
    'Photo-sharing media container': ['pics/publish', 'pics/publishContainer'],
    Story: ['sandbox/stories', 'e2e/pics'],
    'Unpublished uploaded photo': ['sandbox/stories'],
    'Rule 1: ContainerNotReadyError carries container_id': ['pics/publish'],
    'Rule 2: the ApiError of a late upload keeps video_id': ['page/publishVideoStory'],
  },
};

/** Tables of which each row is a function of `pagepics/page`. */
export const pageMethods: Readonly<Record<string, Rows>> = {
  'Page client: login and tokens': {
    exchange_code: ['page/exchangeCode', 'e2e/page'],
    granted_scopes: ['page/grantedScopes', 'e2e/page'],
    login_url: ['page/loginUrl', 'e2e/page'],
    revoke: ['page/revoke', 'e2e/page'],
  },
  'Page client: profile and Pages': {
    me: ['page/me', 'e2e/page'],
    pages: ['page/pages', 'e2e/page'],
  },
  'Page client: webhook subscription': {
    subscribe_page: ['page/subscribePage', 'e2e/page'],
    subscriptions: ['page/subscriptions', 'e2e/page'],
    unsubscribe_page: ['page/unsubscribePage', 'e2e/page'],
  },
  'Page client: posts and insights': {
    posts: ['page/posts', 'e2e/page'],
    publish_post: ['page/publishPost', 'e2e/page'],
    delete_post: ['page/deletePost', 'e2e/page'],
    post_insights: ['page/postInsights', 'e2e/page'],
  },
  'Beyond the specification: tokens, portfolios, the Page itself': {
    inspect_token: ['page/inspectToken', 'e2e/page'],
    portfolio_pages: ['page/portfolioPages', 'e2e/page'],
    page_profile: ['page/pageProfile', 'e2e/page'],
    page_insights: ['page/pageInsights', 'e2e/page'],
  },
  'Beyond the specification: what a scheduler publishes': {
    scheduled_posts: ['page/scheduledPosts', 'sandbox/posts', 'e2e/page'],
    publish_photo: ['page/publishPhoto', 'sandbox/posts', 'e2e/page'],
    publish_photos: ['page/publishPhotos', 'sandbox/posts', 'e2e/page'],
    publish_reel: ['page/publishReel', 'sandbox/videos', 'e2e/page'],
    publish_video: ['page/publishVideo', 'sandbox/videos', 'e2e/page'],
    video_status: ['page/videoStatus', 'sandbox/videos', 'e2e/page'],
    publish_comment: ['page/publishComment', 'sandbox/comments', 'e2e/page'],
    update_comment: ['page/updateComment', 'sandbox/comments', 'e2e/page'],
    delete_comment: ['page/deleteComment', 'e2e/page'],
    like: ['page/like', 'sandbox/comments', 'e2e/page'],
    update_post: ['page/updatePost', 'sandbox/posts', 'e2e/page'],
    publish_scheduled_post: ['page/publishScheduledPost', 'sandbox/posts', 'e2e/page'],
  },
  'Page client: Page stories': {
    publish_photo_story: ['page/publishPhotoStory', 'e2e/page'],
    publish_video_story: ['page/publishVideoStory', 'page/videoUpload', 'e2e/page'],
    stories: ['page/stories', 'sandbox/stories', 'e2e/page'],
    video_story_status: ['page/videoStoryStatus', 'e2e/page'],
  },
  'Page client: comments': {
    comments: ['page/comments', 'e2e/page'],
    hide_comment: ['page/hideComment', 'e2e/page'],
    reply_comment: ['page/replyComment', 'e2e/page'],
  },
  'Beyond the specification: the inbox of a Page': {
    contact: ['page/contact', 'e2e/page'],
    conversations: ['page/conversations', 'e2e/page'],
    iterate_conversations: ['page/iterateConversations', 'e2e/page'],
    iterate_messages: ['page/iterateMessages', 'e2e/page'],
    messages: ['page/messages', 'e2e/page'],
    private_reply: ['page/privateReply', 'e2e/page'],
    send_action: ['page/sendAction', 'e2e/page'],
    send_message: ['page/sendMessage', 'messaging/contents', 'e2e/page'],
    send_reaction: ['page/sendReaction', 'e2e/page'],
    upload_attachment: ['page/uploadAttachment', 'e2e/page'],
  },
  'Page client: lead ads': {
    ad_context: ['page/adContext', 'e2e/page'],
    lead: ['page/lead', 'e2e/page'],
    lead_forms: ['page/leadForms', 'e2e/page'],
    leads: ['page/leads', 'e2e/page'],
  },
};

/** Functions that make clients. */
export const picsMakers: Rows = {
  'PicsClient constructor': ['pics/context'],
  from_env: ['core/context', 'pics/context'],
  via_pages: ['pics/context', 'e2e/pics', 'pics/conversations', 'pics/sendMessage'],
  'PageClient.from_env': ['core/context'],
};

/** Tables of which each row is a function of `pagepics/pics`. */
export const picsMethods: Readonly<Record<string, Rows>> = {
  'Photo-sharing client: connection and tokens': {
    login_url: ['pics/loginUrl', 'e2e/pics'],
    exchange_code: ['pics/exchangeCode', 'e2e/pics'],
    refresh_token: ['pics/refreshToken', 'e2e/pics'],
  },
  'Photo-sharing client: profile and media': {
    media: ['pics/media', 'e2e/pics'],
    media_details: ['pics/mediaDetails', 'e2e/pics'],
    profile: ['pics/profile', 'e2e/pics'],
  },
  'Photo-sharing client: publishing': {
    publish: ['pics/publish', 'e2e/pics'],
    publish_carousel: ['pics/publishCarousel', 'e2e/pics'],
    publish_container: ['pics/publishContainer', 'e2e/pics'],
    publish_story: ['pics/publishStory', 'e2e/pics'],
    stories: ['pics/stories', 'e2e/pics'],
    // Below the table: the endpoint of the quota, and the states of containers.
    publishing_limit: ['pics/publishingLimit', 'e2e/pics'],
    container_status: ['pics/containerStatus', 'e2e/pics'],
  },
  'Photo-sharing client: comments': {
    comments: ['pics/comments', 'e2e/pics'],
    delete_comment: ['pics/deleteComment', 'e2e/pics'],
    hide_comment: ['pics/hideComment', 'e2e/pics'],
    reply_comment: ['pics/replyComment', 'e2e/pics'],
  },
  'Photo-sharing client: direct messages': {
    contact: ['pics/contact', 'e2e/pics'],
    conversations: ['pics/conversations', 'e2e/pics'],
    messages: ['pics/messages', 'e2e/pics'],
    send_message: ['pics/sendMessage', 'e2e/pics'],
  },
  'Beyond the specification: media': {
    delete_media: ['pics/deleteMedia', 'e2e/pics'],
    publish_comment: ['pics/publishComment', 'e2e/pics'],
    set_comments_enabled: ['pics/setCommentsEnabled', 'e2e/pics'],
  },
  'Beyond the specification: direct messages': {
    private_reply: ['pics/privateReply', 'e2e/pics'],
    send_action: ['pics/sendAction', 'e2e/pics'],
    send_reaction: ['pics/sendReaction', 'e2e/pics'],
    upload_attachment: ['pics/uploadAttachment', 'e2e/pics'],
    iterate_conversations: ['pics/iterateConversations', 'e2e/pics'],
    iterate_messages: ['pics/iterateMessages', 'e2e/pics'],
  },
  'Beyond the specification: tokens': {
    inspect_token: ['pics/inspectToken', 'e2e/pics'],
  },
  'Photo-sharing client: webhook subscription': {
    subscribe_account: ['pics/subscribeAccount', 'e2e/pics'],
  },
  'Photo-sharing client: insights': {
    demographics: ['pics/demographics', 'e2e/pics'],
    insights: ['pics/insights', 'e2e/pics'],
    media_insights: ['pics/mediaInsights', 'e2e/pics'],
  },
};

export const shared: Readonly<Record<string, Rows>> = {
  'Low-level methods': {
    request: ['core/lowLevel/request', 'core/http/retry'],
    'get / post / delete': ['core/lowLevel/request'],
    paginate: ['core/lowLevel/paginate'],
    close: ['core/http/abort'],
  },
  Authentication: {
    '1. access_token in the query, OAuth header at the upload': [
      'page/publishPost',
      'page/videoUpload',
      'sandbox/stories',
    ],
    '2. kinds of token': ['page/grantedScopes', 'sandbox/tokens'],
    '3. life of tokens': ['models/tokenBundle', 'page/exchangeCode'],
    '4. appsecret_proof': [
      'core/http/proof',
      'core/lowLevel/paginate',
      'core/lowLevel/request',
      'sandbox/tokens',
    ],
    '5. login-mode tokens': ['sandbox/pics/tokens'],
    '6. login flow': ['e2e/page', 'e2e/pics'],
    '7. licence key': ['core/context'],
    '8. no exposure of tokens and secret': ['core/http/redaction'],
  },
  Events: {
    'Page webhook fields': ['page/subscribePage'],
    'Photo-sharing account webhook fields': ['pics/subscribeAccount'],
    'Enabling events': ['e2e/page', 'e2e/pics'],
    'leadgen event content': ['page/lead', 'page/leads', 'examples'],
    'Page mode photo-sharing events': ['pics/subscribeAccount'],
  },
  Errors: {
    'ConfigurationError: empty app_id or app_secret, from_env too': ['core/client/bind', 'core/context'],
    'ConfigurationError: photo-sharing login_url without app_id': ['pics/loginUrl'],
    'ConfigurationError: page mode without pics_user_id or page_id': [
      'pics/profile',
      'pics/publish',
      'pics/insights',
      'pics/conversations',
      'pics/sendMessage',
    ],
    'ConfigurationError: publish_carousel with fewer than 2 images': ['pics/publishCarousel'],
    'ConfigurationError: publish_story with both': ['pics/publishStory'],
    'ConfigurationError: stories in login mode': ['pics/stories', 'e2e/pics'],
    'ConfigurationError: subscribe_account in page mode': ['pics/subscribeAccount'],
    'ApiError: exchange_code or refresh_token gets no token': [
      'page/exchangeCode',
      'pics/exchangeCode',
      'pics/refreshToken',
    ],
    'ApiError: publish_video_story times out': ['page/publishVideoStory'],
    'ApiError: insights rejected': ['pics/insights'],
    ContainerNotReadyError: ['pics/publish', 'pics/publishStory', 'pics/publishCarousel'],
    RateLimitError: ['core/http/retry', 'page/leads'],
    TransportError: ['core/http/retry', 'core/http/abort'],
    PermissionError: ['pics/sendMessage', 'core/http/refusal'],
    'never raises: post_insights': ['page/postInsights'],
    'never raises: media_insights': ['pics/mediaInsights'],
    'never raises: ad_context': ['page/adContext'],
    'never raises: contact': ['pics/contact'],
    'never raises: demographics': ['pics/demographics'],
    'never raises: granted_scopes': ['page/grantedScopes'],
    'Retried statuses': ['core/http/retry'],
  },
  Limits: {
    'Pages returned': ['page/pages'],
    'paginate max_items / page_size': ['core/lowLevel/paginate'],
    'posts limit': ['page/posts'],
    'stories limit': ['page/stories', 'pics/stories'],
    'comments limit': ['page/comments'],
    'leads limit': ['page/leads'],
    'media limit': ['pics/media'],
    'conversations limit': ['pics/conversations'],
    'messages limit': ['pics/messages'],
    wait_timeout: ['e2e/waits'],
    upload_attempts: ['page/videoUpload'],
    'Photo story image': ['sandbox/stories', 'page/publishPhotoStory'],
    'Unpublished uploaded photo': ['sandbox/stories'],
    'Video story file': ['sandbox/stories', 'page/publishVideoStory'],
    'Story lifetime': ['sandbox/stories', 'e2e/pics'],
    'Photo-sharing daily publishing': ['pics/publish', 'sandbox/pics/publish', 'sandbox/pics/account'],
    'Carousel size': ['pics/publishCarousel'],
    'Container lifetime': ['pics/publishContainer', 'sandbox/pics/publish'],
    'Story image / video': ['pics/publishStory'],
    'Message window / size': ['pics/sendMessage', 'sandbox/pics/messages'],
    'Conversation detail': ['pics/messages', 'sandbox/pics/messages'],
    Demographics: ['pics/demographics', 'sandbox/pics/insights'],
    'Insights range': ['pics/insights', 'sandbox/pics/insights'],
    'Token lifetimes': ['models/tokenBundle', 'sandbox/login', 'sandbox/pics/tokens'],
    'Refresh eligibility': ['pics/refreshToken', 'sandbox/pics/tokens'],
  },
  Versioning: {
    '2. the version of the platform': ['core/context'],
    '3. retired features': ['page/postInsights', 'pics/publish'],
  },
};
