/** What the live platform calls things on the wire, where the SDK's documented names are neutral. */
export interface PlatformWords {
  /** Grant type, and parameter, that turns a short-lived user token into a long-lived one. */
  readonly exchangeGrant: string;
  /** Grant type that turns a short-lived photo-sharing token into a long-lived one. */
  readonly picsExchangeGrant: string;
  /** Grant type that renews a long-lived photo-sharing token. */
  readonly picsRefreshGrant: string;
  /** What `pics_` at the start of a scope is replaced with. */
  readonly picsScopePrefix: string;
  /** Value of the `platform` parameter of conversations. */
  readonly picsPlatform: string;
  /** Field of a Page that holds its linked photo-sharing professional account. */
  readonly linkedAccount: string;
  /** Field of an error that holds the trace id. */
  readonly traceField: string;
  /** Response header that holds the trace id. */
  readonly traceHeader: string;
  /** Response header that names the API version which served the request. */
  readonly versionHeader: string;
}

/** The addresses and names of a platform. Only this file knows the live ones. */
export interface Platform {
  /** Graph API of the page platform, without version. */
  readonly graphUrl: string;
  /** Host of the page platform's login dialog; `/{version}/dialog/oauth` is joined to it. */
  readonly dialogUrl: string;
  /** Graph API of the photo-sharing platform (login mode), without version. */
  readonly picsGraphUrl: string;
  /** The full address of the photo-sharing platform's authorize dialog. */
  readonly picsAuthUrl: string;
  /** The full address of the photo-sharing platform's endpoint for short-lived tokens. */
  readonly picsTokenUrl: string;
  /** Host for uploads. An upload address with another origin is refused. */
  readonly uploadUrl: string;
  readonly words: PlatformWords;
}

/** The live photo-sharing platform, as conversations and webhook deliveries name it. */
export const picsPlatform = 'instagram';

/** What the live platform calls itself where it fetches a file from its address, and in a robots.txt. */
export const fileFetcher = 'facebookexternalhit/1.1';
export const fileRobot = 'facebookexternalhit';

/** Hosts of the live platform itself, from which it fetches no files for Pages. */
export const ownFileHosts = /(?:^|\.)fbcdn\.net$/;

/** The messages of Pages, as conversations name them. */
export const pagePlatform = 'messenger';

/**
 * Whether a token begins like those of the other platform, which no login mends: tokens of an account's own login are for
 * login mode, those of people and Pages for all else.
 */
export function isMisplaced(token: string, mode: string | undefined): boolean {
  return mode === 'login' ? token.startsWith('EAA') : token.startsWith('IG');
}

/** The live platform. */
export const livePlatform: Platform = /* @__PURE__ */ Object.freeze({
  graphUrl: 'https://graph.facebook.com',
  dialogUrl: 'https://www.facebook.com',
  picsGraphUrl: 'https://graph.instagram.com',
  picsAuthUrl: 'https://www.instagram.com/oauth/authorize',
  picsTokenUrl: 'https://api.instagram.com/oauth/access_token',
  uploadUrl: 'https://rupload.facebook.com',
  words: /* @__PURE__ */ Object.freeze({
    exchangeGrant: 'fb_exchange_token',
    picsExchangeGrant: 'ig_exchange_token',
    picsRefreshGrant: 'ig_refresh_token',
    picsScopePrefix: 'instagram_',
    picsPlatform,
    linkedAccount: 'instagram_business_account',
    traceField: 'fbtrace_id',
    traceHeader: 'x-fb-trace-id',
    versionHeader: 'facebook-api-version',
  }),
});

/**
 * What the platform's tokens look like: those of people and Pages, those of photo-sharing accounts, and those of apps. No
 * word has a digit and so many letters. `EAAB1x…`, `IGQVJ9…`, `1234567890|AbCdEfGhIjKlMnOp`.
 */
const shapes = String.raw`(?:EAA|IG[A-Z]{2})(?=[\dA-Za-z]{0,99}\d)[\dA-Za-z]{12,}[\w-]*|(?<!\d)\d{8,}\|[\w-]{16,}`;
export const tokenShape = /* @__PURE__ */ new RegExp(shapes, 'g');
