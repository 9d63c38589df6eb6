/** A statement about the live platform, and the test that holds the sandbox to it: a file below `test/sandbox`, and a title in it. */
export type Facts = Readonly<Record<string, readonly [file: string, title: string]>>;

/** The known facts about the live platform that can be seen from outside, by subject. */
export const facts: Readonly<Record<string, Facts>> = {
  Transport: {
    'an expired or unknown version is served as the oldest one': [
      'tokens',
      'any version is served; an old or unknown one as the oldest',
    ],
    'a version ends at its day, and is served as the oldest one then': [
      'tokens',
      'any version is served; an old or unknown one as the oldest',
    ],
    'v22.0 and v23.0 come with a warning header': ['lenient', 'that end soon warn in a header'],
    'since 2026-10-27 all versions refuse what v26.0 refuses': [
      'lenient',
      'refuse from 2026-10-27 on what v26 refuses',
    ],
    'six habits are closed to apps created since 2026-11-04': [
      'lenient',
      'are closed to the habits of older apps for one that was created since',
    ],
    'older apps keep the method override and the field alias': [
      'lenient',
      'take them from an app of the day before',
    ],
    'a restricted app is refused with the word of any method': [
      'testing',
      'app-restricted: all calls of login mode are refused, with the word of each method',
    ],
    'a token travels in the query, in the body or in a header': [
      'tokens',
      'takes the token from the header or the body as well',
    ],
    'lists are comma separated, or JSON arrays': ['lenient', 'a list may come as a JSON array'],
    'unknown parameters are ignored': ['lenient', 'is ignored'],
    'retired parameters are refused': [
      'lenient',
      'is refused by every sandbox if the platform has retired it',
    ],
    'pretty and debug are ignored from v26 on': ['lenient', 'is ignored where it has only lost its use: %s'],
    'a POST may carry another method': ['lenient', 'a POST may carry its method as a parameter'],
    'an unknown field refuses the call': ['page/posts', 'refuse the fields that PagePost lost'],
    'an unknown field of media is left out': [
      'lenient',
      'an unknown field is left out of media, and refused elsewhere',
    ],
    'fields nest, with arguments': ['parts', 'is read with arguments and braces'],
    'JSON escapes what is not ASCII, and slashes': [
      'parts',
      'keeps digits, leaves out undefined, escapes as the platform does',
    ],
    'every response has a date and a trace id': [
      'tokens',
      'every response carries the sandbox clock and a trace id',
    ],
  },
  'Fields and edges': {
    'summaries of reactions, likes and comments fail a whole read without pages_read_user_content': [
      'page/posts',
      'refuse the whole read without the permission for what people write: %s',
    ],
    'limit(0) and summary(true) give a count without entries': [
      'lenient',
      'of a nested edge comes without its entries',
    ],
    'as() renames a list, so that it fits in several times': [
      'lenient',
      'may stand in a response several times, under other names',
    ],
    'an edge takes summary=true': [
      'lenient',
      'comes with a list that asks for it, with or without its entries',
    ],
    'insights can be read as a field': ['lenient', 'metrics may be asked for as a field'],
    'a write may name fields of what it makes': [
      'lenient',
      'a write that names fields gives those of what it made',
    ],
    'a post that nobody shared has no shares': ['lenient', 'a post that nobody shared has no shares'],
    'a picture is a redirect, or with redirect=0 an object': [
      'lenient',
      'a picture is redirected to, or described',
    ],
    'photos of a Page are its profile pictures, unless another type is named': [
      'lenient',
      'the photos of a Page are those that it uploaded and published',
    ],
    'granted permissions can be read': [
      'lenient',
      'a person’s permissions can be read, all or one, and one be given back by its address',
    ],
    'photos have copies of them, posts the picture of what they show': [
      'nested',
      'photos, posts and their attachments have their pictures',
    ],
    'other accounts are found by their names, with cursors and no next': [
      'lenient',
      'finds an account by its name, with its media page by page',
    ],
    'an unknown account and a personal one: 110/2207013': [
      'lenient',
      'refuses a name that is none, and one of a person alike',
    ],
    'versions before v26 take ids and pretty': ['lenient', 'takes what later ones have retired'],
  },
  'What belongs to entries, within their list': {
    'the inner call is made for each entry, so an empty list never tells': [
      'nested',
      'is read for each entry: an empty list takes what another refuses',
    ],
    'an edge without entries is absent, but for its summary': [
      'nested',
      'is absent where there is nothing, and there with a summary',
    ],
    'inner insights have addresses of other ranges, with the token': [
      'nested',
      'has endless addresses with the token in each entry: %s',
    ],
    'with a selection, name, period, values and id come': [
      'nested',
      'has of metrics what is selected, and their period and id',
    ],
    'comments of accounts have no paging where all fit; those of Pages have cursors': [
      'nested',
      'pages by cursors, but comments of an account where there are more',
    ],
    'comments_count counts more than the list shows': [
      'nested',
      'counts more comments of an account than it lists',
    ],
    'a dead metric of Pages has no name, with and without the code': [
      'nested',
      'does not say which metric of a Page is dead, with its code or without',
    ],
    'a dead metric of accounts has its index, and the names that live': [
      'nested',
      'says which metric of an account is dead, and which are not',
    ],
    'the names of a refusal are no promise': ['nested', 'names metrics as living that no media has'],
    'a missing metric names the field': ['nested', 'names the field that lacks its metric, or has a bad one'],
    'a medium from before the conversion: 100/2108006 for the whole list; in login mode it has no insights': [
      'nested',
      'fails for a medium from before the conversion, and in login mode lacks it',
    ],
    'metrics that a type lacks fail the list; in login mode they are left out': [
      'nested',
      'fails for metrics that a type lacks, and in login mode lacks them',
    ],
    'a story with few viewers fails the list: 10': ['nested', 'fails for a story with few viewers'],
    'a post may have no numbers': ['nested', 'is absent in a post without numbers'],
    'without read_insights, insights of posts are empty, or refused with 10': [
      'nested',
      'is empty without read_insights, or refused',
    ],
    'without the permission for comments, login mode has none and page mode no names': [
      'nested',
      'has no comments without their permission, or none with a name: %s',
    ],
    'too much data: 1': ['nested', 'is refused where it is too much data, by its size'],
    'a metric of a video is 0 for other posts, but one is refused': [
      'nested',
      'has 0 of a video in other posts, and refuses a time',
    ],
  },
  Limits: {
    'a photo that is none: 324/2069019': ['strict', 'is refused as a photo'],
    'a video that is none is refused where it is sent to the graph': [
      'strict',
      'is refused as a video, whole or in parts',
    ],
    'the upload host takes any bytes': ['strict', 'is taken by the upload host, and then not processed'],
    'private addresses are not fetched': [
      'strict',
      'an address that only this machine or its network reaches is not fetched: %s',
    ],
    'a post has 63,206 characters at most': ['strict', 'a post has a longest text'],
    'schedules have ceilings': [
      'strict',
      'a schedule has a ceiling: 75 days for posts and photos, half a year for videos, 29 days for Reels',
    ],
    'days of insights end at 07:00 or 08:00 UTC': [
      'strict',
      'the days of insights end at midnight Pacific time, in summer and in winter',
    ],
  },
  'Rate limits': {
    'usage comes in whole percents, by the Page': [
      'quotas',
      'of a Page token are reported in whole percent, by the Page',
    ],
    'user and app tokens have a header of their own': [
      'quotas',
      'of user and app tokens are reported in their own header',
    ],
    'a Page has independent pools; accounts come under two ids; hashtags burn that of the app': [
      'quotas',
      'of one Page token count by what they are for',
    ],
    'parts of a batch are calls': ['quotas', 'of a batch count one by one'],
    'several ids are as many calls': ['quotas', 'of several ids at once count one by one'],
    'the first calls are not told of': ['quotas', 'are reported only after as many as the quota says'],
    'rates have no header, and one code': ['quotas', 'are refused by code 613: %s, for %i ms'],
    'refused calls count, and lengthen the block': [
      'quotas',
      'are refused until the rolling count falls below it, and still count',
    ],
    'each limit has its code': ['quotas', 'are refused by the code of their limit'],
  },
  'The app': {
    'a subscription of the app is verified within the call': [
      'page/subscriptions',
      'are verified within the call, and listed',
    ],
    'fields that are subscribed already stay': [
      'page/subscriptions',
      'keep their fields when others are added',
    ],
    'DELETE without an object takes all subscriptions away': [
      'page/subscriptions',
      'go field by field, by object, or all at once',
    ],
    'a handshake that fails: 2200': ['page/subscriptions', 'are refused where the handshake fails: %s'],
    'removing the app is told in a signed request': [
      'page/subscriptions',
      'is reported in a signed request: %s',
    ],
    'login mode signs with the secret of its own app': [
      'page/subscriptions',
      'of a photo-sharing account is reported under the secret of its app',
    ],
  },
  'Profiles of inboxes': {
    'only the named properties change': [
      'messaging/messengerProfile',
      'is set property by property, and read',
    ],
    'ice breakers come in the form in which they were set': [
      'messaging/messengerProfile',
      'gives ice breakers in the form in which they were set',
    ],
    'a menu needs a Get Started button: 100/2018145': [
      'messaging/messengerProfile',
      'has a menu with a Get Started button only',
    ],
    'an account has ice breakers and a menu only': ['messaging/messengerProfile', 'is its own, in page mode'],
  },
  'Errors of any call': {
    'no token: 2500': ['tokens', 'without a token is refused with 2500'],
    'an unreadable token: 190': ['tokens', 'with a token that never was is refused with 190'],
    'an expired token: 190/463': ['tokens', 'with an expired token is refused with 190/463'],
    'a user token for a Page: 210': ['tokens', 'a user token where a Page token is needed: 210'],
    'a missing permission: 10 for reads, 200 for writes': [
      'tokens',
      'a token without the permission: 10 for a read, 200 for a write',
    ],
    'a missing object: 100/33, a name: 803': ['tokens', 'a missing object: 100/33; a name that is none: 803'],
    'an unknown path: 2500': ['tokens', 'an unknown path: 2500'],
    'a wrong proof is refused, also where none is needed': [
      'tokens',
      'must be the right one, even where none is needed',
    ],
    'a proof may be timed, for five minutes': ['tokens', 'may be timed, for five minutes'],
  },
  Lists: {
    'only next leads on; a full last page has none': [
      'paging',
      'ends without next if the last page is full, and still has cursors',
    ],
    'links keep the version and the parameters': [
      'paging',
      'is walked to its end by next, whose link keeps version and parameters',
    ],
    'feeds page by time': ['paging', 'is walked by until and __paging_token, without cursors'],
    'pages may be empty and go on': ['paging', 'can have empty and short pages that still have next'],
    'new entries lag in lists': ['paging', 'new entries show up in lists after the lag, by id at once'],
  },
  'Login of Pages': {
    'the dialog leads back with code, state and a fragment': [
      'page/tokens',
      'sends the browser back with code, state and the fragment',
    ],
    'response_type is code by default, and unknown parameters are ignored': [
      'lenient',
      'is ignored by the login dialog, whose response_type is code by default',
    ],
    'a denial is told in the query': ['page/tokens', 'reports a denial'],
    'a code works once': ['page/tokens', 'works once'],
    'a code belongs to its redirect_uri': [
      'page/tokens',
      'wants the redirect_uri of the dialog, and can be tried again with it',
    ],
    'the token endpoint takes GET and POST': [
      'lenient',
      'exchanges a code by %s, with and without the grant type',
    ],
    'client_credentials gives the app token': ['lenient', 'gives the app token'],
    'a token may inspect itself': ['lenient', 'a token may inspect itself, and no other one'],
    'a dead token is described with 200': ['page/tokens', 'responds with 200 for a dead one'],
    'what was declined is asked for again only with rerequest': [
      'page/tokens',
      'asks again for what a person declined only with rerequest',
    ],
    'a revoked user loses the Page tokens too': ['page/tokens', 'kills the user token and the Page tokens'],
  },
  Pages: {
    'tasks are on the edge only': ['page/pages', 'knows tasks on the edge only'],
    'a subscription replaces the one before': ['page/subscriptions', 'is made, replaced, read and ended'],
    'subscribing to messages needs pages_messaging': [
      'page/subscriptions',
      'wants known fields, and pages_messaging for messages',
    ],
    'identical posts are published each for itself': [
      'page/posts',
      'are published each for itself, identical or not',
    ],
    'unpublished posts are in no list': ['page/posts', 'kept back stay out of the list but can be read'],
    'scheduled posts are listed apart, and come out by themselves': [
      'page/posts',
      'that are scheduled are listed apart, and published when their time comes',
    ],
    'the photos of a post are used up': ['page/posts', 'show the photos, which are used up'],
    'a retired metric fails the call': ['page/insights', 'fail with a metric that was retired since'],
    'insights without a metric: 3001/1504028': ['page/insights', 'without a metric: 3001/1504028'],
    'comments come oldest first, top level only': [
      'page/comments',
      'come oldest first by default, top level only',
    ],
    'a reply to a reply hangs on the top-level comment': [
      'page/comments',
      'hang on the top-level comment when they reply to a reply',
    ],
    'leads are filtered by time_created': ['page/leads', 'are filtered by time_created, exclusively'],
    'leads need leads_retrieval': ['page/leads', 'need leads_retrieval'],
    'an ad has the leads of all forms': ['page/leads', 'of an ad are listed as those of a form'],
    'a form has one test lead at a time': [
      'page/leads',
      'are one at a time for each form, listed apart, told of, and deleted',
    ],
    'Pages are searched with the token of a person and its proof': [
      'page/pages',
      'takes the token of a person with its proof, and no other',
    ],
    'the status of a Page needs pages_manage_metadata': ['page/pages', 'needs pages_manage_metadata'],
    'videos and Reels have different metrics; the usual set of a Reel holds a dead one': [
      'page/insights',
      'are of the kind of the video, all of them without a choice',
    ],
    'one dead metric of a video fails the call': [
      'page/insights',
      'fail as a whole with a metric that is dead or of the other kind: %s %s',
    ],
    'metrics of a post come twice without a period': [
      'page/insights',
      'come twice without a period, as lifetime and as days that read 0',
    ],
    'a post has no metrics for a token without read_insights, and no refusal': [
      'page/insights',
      'are empty, not refused, for a token without read_insights',
    ],
  },
  'Community of Pages': {
    'blocking tells of each person whether it worked': [
      'page/visitors',
      'are reported one by one, listed, and unblocked again',
    ],
    'blocked people are named by one kind of id': ['page/visitors', 'are named by one kind of id'],
    'blocking needs pages_manage_engagement': ['page/visitors', 'are a matter of pages_manage_engagement'],
    'posts of visitors have an edge of their own': ['page/visitors', 'of visitors are listed apart'],
    'new Pages lack it: a permissions error': ['page/visitors', 'of visitors are refused for new Pages'],
    'posts that tag a Page are in its feed': [
      'page/visitors',
      'that tag the Page are in its feed, and in a list of their own',
    ],
    'tags need a place': ['page/visitors', 'name a place, and people there'],
    'photos and videos may have a place': ['page/visitors', 'of photos and videos name a place, too'],
  },
  'Parts of videos': {
    'the locale of captions stands in the name of their file': [
      'page/videoParts',
      'have the locale that the name of their file says',
    ],
    'captions are taken away by locale': ['page/videoParts', 'are taken away by their locales'],
    'collaborators of a Reel are invited, and may accept': [
      'page/videoParts',
      'are invited once the Reel is out, and accept or decline',
    ],
    'ten invites a day': ['page/videoParts', 'are at most ten a day for a Page'],
    'a cover is a preferred thumbnail': ['page/videoParts', 'are added, and the preferred one comes first'],
  },
  'Stories, videos and Reels of Pages': {
    'stories live for 24 hours': ['page/stories', 'is made of an unpublished photo and listed for 24 hours'],
    'a photo makes one story': [
      'page/stories',
      'takes no photo twice, none that was posted, none after 24 hours',
    ],
    'a second finish publishes a second story': [
      'page/stories',
      'is not published twice by one finish, but by two',
    ],
    'finish needs all bytes': [
      'page/stories',
      'cannot be finished before all bytes are there, nor a day later',
    ],
    'an upload goes on from the bytes that arrived': [
      'page/stories',
      'keeps what arrived before a cut, refuses a wrong offset, takes the rest',
    ],
    'the upload host wants OAuth in the header': [
      'page/stories',
      'wants OAuth in the header and nothing in the query',
    ],
    'a hosted file is fetched': ['page/stories', 'fetches a hosted file'],
    'a video is sent in the parts that the platform asks for': [
      'page/videos',
      'is sent in the parts that the platform asks for, published and listed',
    ],
    'the AI label is a parameter of videos, Reels and video stories': [
      'page/videos',
      'is uploaded, finished once, and listed apart from posts',
    ],
    'videos, posts and Pages have the fields of 2026': [
      'page/videos',
      'are known, of videos, posts and Pages',
    ],
    'a Reel is finished once': ['page/videos', 'is uploaded, finished once, and listed apart from posts'],
  },
  'Login mode': {
    'the short-lived token has a bare number as user_id': [
      'pics/tokens',
      'come short-lived, with a bare user_id, and become long-lived',
    ],
    'some responses come inside a list': [
      'pics/tokens',
      'come inside a list when tuned so, permissions as text',
    ],
    'the token host refuses in a form of its own': ['pics/tokens', 'are refused in the form of their host'],
    'a token is refreshed from 24 hours of age on': [
      'pics/tokens',
      'are refreshed from 24 hours of age until they expire',
    ],
    'the account has two ids': [
      'pics/profile',
      'of login mode is found as me and by both ids, with user_id as a bare number',
    ],
    'page mode knows neither account_type nor user_id': [
      'pics/profile',
      'of page mode knows neither account_type nor user_id',
    ],
    'the subscription exists in login mode only': ['pics/subscriptions', 'does not exist in page mode'],
  },
  'Media of accounts': {
    'lists have neither stories nor items of carousels': [
      'pics/media',
      'come newest first, without stories and carousel items, ids only by default',
    ],
    'stories are listed in page mode only': ['pics/media', 'are not listed in login mode'],
    'a container is processed before it is published': [
      'pics/publishing',
      'waits for a container that is processed',
    ],
    'a container is published once': ['pics/publishing', 'happens once for each container'],
    'a container lives for 24 hours': [
      'pics/publishing',
      'loses a container after 24 hours, and one that never was',
    ],
    'publishing ends at the daily cap': ['pics/publishing', 'stops at the daily cap, over a sliding day'],
    'a carousel has 2 to 10 items': ['pics/publishing', 'with fewer than 2 or more than 10 items'],
    'an item is never published by itself': [
      'pics/publishing',
      'never publishes an item alone, and shares the failure of one',
    ],
    'a ready container may be told to be not ready': [
      'pics/publishing',
      'can refuse a ready container as not ready',
    ],
    'an add-on is read alone, and null without one; stories have none': [
      'pics/publishing',
      'is below the post, read alone, and null without one',
    ],
    'a post can be published without its add-on': [
      'pics/publishing',
      'may be lost, which nothing but its read says',
    ],
    'an add-on needs a caption, and stands alone on its post': ['pics/publishing', 'is refused %s'],
    'add-ons are a matter of page mode, music is not': [
      'pics/publishing',
      'and labels are a matter of page mode, music is not',
    ],
    'comments are hidden by the query only': ['pics/comments', 'are hidden by the query only'],
    'comments go with their replies': ['pics/comments', 'are deleted with their replies'],
    'one dead metric fails all': [
      'pics/insights',
      'fail as a whole for a metric that is dead or unknown, naming the living',
    ],
    'demographics need 100 followers': ['pics/insights', 'need 100 followers'],
    'story insights need 5 viewers': ['pics/insights', 'need 5 viewers of a story, and the story itself'],
  },
  'Community of accounts': {
    'tagged media are filtered by type and time': ['pics/mentions', 'are filtered by type and time (%s)'],
    'tagged media come without next': ['pics/mentions', 'are listed with cursors and without next (%s)'],
    'mentions are told by webhook only, and read by field': [
      'pics/mentions',
      'is reported by webhook, read, and answered below the media',
    ],
    'a mention in a comment is answered below it': [
      'pics/mentions',
      'in a comment is reported by webhook, read, and answered below the comment',
    ],
    'only a mention can be read and answered': ['pics/mentions', 'that is none is refused'],
    'a like is set once, on exactly one thing': ['pics/mentions', 'are set and taken back, once each'],
    'likes are limited': ['pics/mentions', 'lock the account for an hour after 50 calls in five seconds'],
    'likes, invites and mentions are read in page mode only': ['pics/mentions', 'is a matter of page mode'],
    'an invite is answered once': [
      'pics/coAuthors',
      'invites are listed until they are answered, which is final',
    ],
    'collaborators accept': ['pics/coAuthors', 'partners are those who were invited and did not decline'],
  },
  'Hashtags, audio and shops': {
    'the id of a hashtag is the same for everybody': ['pics/hashtags', 'has one id, for everybody'],
    '30 hashtags a week': ['pics/hashtags', 'is limited to 30 different words a week'],
    'recent media are those of a day, top media the most liked': [
      'pics/hashtags',
      'are those of the last day, or the most liked ones',
    ],
    'the cursor of hashtag media repeats': ['pics/hashtags', 'are walked by a cursor that stays the same'],
    'hashtag media do not say whose they are': ['pics/hashtags', 'do not say whose they are'],
    'searched hashtags are listed': ['pics/hashtags', 'are listed, newest first, for a week'],
    'the list of audio is called audio': ['pics/music', 'is found by its kind and its words'],
    'music fails on a video without sound, unless the volume of that is 0': ['pics/music', 'is added to %s'],
    'catalogs and products are found': ['pics/products', 'lists its catalogs and finds its products'],
    'product tags are added, up to five': ['pics/products', 'are added to an image, up to five'],
    'items of a carousel are tagged by their index': ['pics/products', 'are added to an item of a carousel'],
  },
  Messages: {
    'a person is answered for 24 hours': [
      'messaging/accountInbox',
      'is allowed for 24 hours after the message of the other side',
    ],
    'details exist for the newest 20 messages': [
      'messaging/accountInbox',
      'come with details for the newest 20 only',
    ],
    'profiles need consent': ['messaging/accountInbox', 'are shown with consent only'],
    'login mode may show the account by its app-scoped id': [
      'messaging/accountInbox',
      'login mode can show the account by its app-scoped id',
    ],
    'a private reply is taken once, within 7 days': [
      'messaging/send',
      'are taken once for a comment, within 7 days, and begin a conversation',
    ],
    'attachments can be used again for 90 days': [
      'messaging/send',
      'can be files that were uploaded, for 90 days',
    ],
    'a Page’s inbox is apart from that of its account': [
      'messaging/inbox',
      'lists its conversations by the newest message, apart from those of its account',
    ],
  },
  Webhooks: {
    'deliveries are signed over their bytes': [
      'webhooks',
      'is signed by the app of its platform, over the bytes that it has',
    ],
    'deliveries are repeated until they are taken': ['webhooks', 'comes again until it is taken'],
    'the platform’s own agent has fields of its own': [
      'messaging/deliveries',
      'what the platform’s own agent does comes to who subscribed to it',
    ],
    'only what was subscribed to is delivered': ['webhooks', 'is delivered once, and only to who subscribed'],
    'the app’s own actions come back as events': [
      'webhooks',
      'what the app does comes back as events that show whose they are',
    ],
  },
};
