/** What a refusal is about, from its code, its subcode and then its HTTP status. */
export type ErrorCategory =
  | 'auth'
  | 'permission'
  | 'rate_limit'
  | 'quota'
  | 'policy'
  | 'recipient'
  | 'transient'
  | 'validation'
  | 'media'
  | 'window'
  | 'not_found'
  | 'unknown';

/**
 * What helps after a refusal: `login`, the person logs in again; `retry`, the same call later, only given if the call
 * did not take effect; `wait`, only waiting; `fix`, a change to the call, the app, a role, or something at the
 * platform.
 */
export type ErrorAction = 'login' | 'retry' | 'wait' | 'fix';

/** What the platform does not like about a file; `url`: it could not fetch the file from its address. */
export type MediaProperty =
  | 'aspect_ratio'
  | 'frame_rate'
  | 'duration'
  | 'codec'
  | 'resolution'
  | 'size'
  | 'format'
  | 'url';

/** What is known about a refusal. */
export interface Fact {
  readonly is: ErrorCategory;
  /** @default that of the category */
  readonly action?: ErrorAction;
  readonly media?: MediaProperty;
  /**
   * What has to change before a login helps, or instead of one: the person acts on the platform; somebody gives the person
   * the role back; another token is used; or the app is allowed what it does.
   */
  readonly needs?: 'person' | 'role' | 'token' | 'app';
  /** The least time after which it may help to call again, in milliseconds, where the platform names none. */
  readonly waitMs?: number;
  /** Whether the platform has been seen to refuse what it had done. */
  readonly isLate?: true;
  /** What helps, where the platform does not say it. */
  readonly hint?: string;
}

const isOfOtherApp: Fact = {
  is: 'permission',
  hint: ' (the app or the inbox that controls the conversation must hand it over)',
};
/** A living token of the wrong kind or app, or the wrong secret: no login helps. */
const isMisused: Fact = { is: 'auth', action: 'fix', needs: 'token' };
/** The token is dead, and no login makes another one as long as the platform waits for the person. */
const isOnHold: Fact = { is: 'auth', action: 'fix', needs: 'person' };
const isRoleGone: Fact = { is: 'auth', action: 'fix', needs: 'role' };

/**
 * What the platform's codes mean, one line a fact: `code/subcode`, `/subcode` under any code, or `code` alone. The most
 * exact one counts. The tables in docs/errors.md are made of it.
 */
export const facts: readonly (Fact & { readonly codes: string })[] = [
  { is: 'auth', codes: '102 190 2500 100/36007 100/36008 100/36009' },
  { ...isMisused, codes: '104 190/2069032' },
  { ...isOnHold, codes: '190/459 190/464 190/490' },
  { ...isRoleGone, codes: '190/492' },

  { is: 'permission', codes: '3 10 27 2xx 10904 36104 2/2018344 25/2207050 /2018321 /2207081 /2534068' },
  { ...isOfOtherApp, codes: '/2018300 /2534037' },

  { is: 'rate_limit', codes: '4 17 32 341 613 800xx /2446079 /2494055 /2534040' },
  // An account's 30 hashtags of 7 days.
  { is: 'rate_limit', waitMs: 86_400_000, codes: '18' },
  { is: 'quota', codes: '9/2207042 9/2207069' },
  { is: 'policy', codes: '368 508 10/1893063 /1390008 /2534029 /2534122' },
  { is: 'policy', isLate: true, codes: '4/2207051' },

  {
    is: 'recipient',
    codes: '551 9010 10900 10902 10903 10/2018108 100/2018001 /1545041 /2534001 /2534013 /2534014 /2534025',
  },
  { is: 'window', codes: '10/2018065 10/2018278 10/2534022' },
  // Two clients that sent private replies read it differently.
  { is: 'window', hint: ' (or the comment was answered privately before)', codes: '-1/2534023' },

  {
    is: 'media',
    codes:
      '324 6000 6001 /1363022 /1363023 /1363030 /1363037 /1363042 /1363045 /1366051 /2018047 /2207008 /2207026 /2207057 /2207083',
  },
  { is: 'media', action: 'retry', codes: '/2207020 /2207053 /2207082' },
  { is: 'media', action: 'wait', codes: '9007 /2207027' },
  { is: 'media', media: 'url', codes: '389 /1363057' },
  { is: 'media', media: 'url', action: 'retry', codes: '9004 /2018008 /2207052 /2207076 /2207077' },
  { is: 'media', media: 'format', codes: '352 385 36001 /1366046 /2069019 /2207005 /2534080' },
  { is: 'media', media: 'size', codes: '382 36000 /2018109 /2207004' },
  { is: 'media', media: 'aspect_ratio', codes: '36003 /1363040 /2207009' },
  { is: 'media', media: 'resolution', codes: '/1363127' },
  { is: 'media', media: 'duration', codes: '/1363026 /1363128' },
  { is: 'media', media: 'frame_rate', codes: '/1363129' },

  { is: 'not_found', codes: '21 24 803 100/21 100/33 /2207006 /2207013 /2207045' },
  { is: 'transient', codes: '-2 -1 1 2 1200 2/1504044 2/1545133 /1363047 /1609010 /2207001 /2207032' },
  { is: 'transient', media: 'url', codes: '/2207003' },

  {
    is: 'validation',
    codes:
      '12 100 110 191 506 2200 2635 3001 36004 1609005 1/1446036 100/2534013 /1357046 /2207010 /2207018 /2207023 /2207028 /2207035 /2207036 /2207037 /2207040 /2207089',
  },
  // A comment exists all the same: the platform refuses to read the fields that its answer should have.
  { is: 'unknown', isLate: true, codes: '20/1772107' },
  { is: 'unknown', codes: '/2207085' },
];

const byCode = new Map(facts.flatMap((fact) => fact.codes.split(' ').map((code) => [code, fact])));

/** What only the words of a message tell, in lower case. */
interface Text extends Fact {
  /** Without it, whatever the code is. */
  readonly code?: number;
  /** Whether a subcode tells more than these words. */
  readonly isBare?: true;
  readonly words: readonly string[];
}

const texts: readonly Text[] = [
  // Unlike other faults under code 1, this one is permanent: the same request fails again.
  { code: 1, words: ['reduce the amount of data'], is: 'validation' },
  { code: 1, words: ['does not belong to application'], ...isMisused },
  { code: 100, words: ['24 hours old'], is: 'validation', action: 'wait' },
  {
    code: 100,
    words: ['scheduled publish time is invalid'],
    is: 'validation',
    // Its documents name several limits for posts; the least one.
    hint: ' (10 minutes ahead at least; at most 30 days for posts and photos, 29 for a Reel, six months for a video)',
  },
  {
    code: 190,
    words: [
      'must be called with',
      'token is required',
      'secret required',
      'app secret',
      'appsecret',
      'belong to app',
      'belong to this app',
      'another app',
      'different app',
      'validating application',
      'token signature',
    ],
    ...isMisused,
  },
  // In login mode, these have no subcode, or 0.
  {
    code: 190,
    isBare: true,
    words: ['checkpoint', 'block', 'confirm', 'follow the instructions', 'disabled', 'suspended'],
    ...isOnHold,
  },
  { code: 190, isBare: true, words: ['role on'], ...isRoleGone },
  // One code for two faults, in the request and in its token.
  { code: 2500, words: ['path', 'syntax'], is: 'validation' },
  { words: ['thread owner'], ...isOfOtherApp },
  {
    words: ['unsupported request - method type:'],
    is: 'permission',
    needs: 'app',
    hint: ' (the account is not connected to this app, or not with this id; or the platform has restricted the app)',
  },
  {
    words: ['api access blocked'],
    is: 'permission',
    needs: 'app',
    hint: ' (the platform has restricted the app: its dashboard says why)',
  },
];

/** What an error is known by. */
export interface Coded {
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  readonly message?: string | undefined;
}

/** What is known about an error; `undefined` if its code is unknown, and its words tell nothing. */
export function factOf(error: Coded): Fact | undefined {
  const { code } = error;
  return exactFactOf(error) ?? byCode.get(familyOf(`${code}`)) ?? byCode.get(`/${code}`);
}

/** Any of 200 to 299 is a missing permission, and any of 80000 to 80014 a limit of a kind of use. */
function familyOf(code: string): string {
  return code.replace(/^2\d\d$/, '2xx').replace(/^800(?:0\d|1[0-4])$/, '800xx');
}

/** What the words of an error or its subcode tell. */
function exactFactOf({ code, subcode, message = '' }: Coded): Fact | undefined {
  const said = message.toLowerCase();
  const told = texts.find(
    (text) =>
      (text.code ?? code) === code &&
      !(text.isBare && subcode) &&
      text.words.some((words) => said.includes(words)),
  );
  return told ?? byCode.get(`${code}/${subcode}`) ?? byCode.get(`/${subcode}`);
}

/** Whether the fault lasts, even if the platform says that it is temporary. */
export function isLasting(error: Coded): boolean {
  const { is } = factOf(error) ?? {};
  return (
    is === 'rate_limit' ||
    is === 'quota' ||
    is === 'policy' ||
    (is !== 'media' && exactFactOf(error) !== undefined)
  );
}

/**
 * Whether nothing but a code such as 1 or 2 says that the fault is temporary: the platform uses these for any fault, also
 * for refusals that it words for a person.
 */
export function isVague(error: Coded): boolean {
  return factOf(error)?.is === 'transient' && exactFactOf(error) === undefined;
}

/** What an error of the upload host of videos is known by. */
export interface UploadCoded extends Coded {
  readonly type: string | undefined;
  readonly isRetriable: boolean;
}

/**
 * What is known about an error of the upload host. It has no codes unless it quotes another error, so its words tell
 * that it does not accept the token; then it says itself whether the same file may go through at the next try.
 */
export function factOfUpload({ type, isRetriable, ...error }: UploadCoded): Fact | undefined {
  const { code, message = '' } = error;
  const isOfToken = /access token|oauth|^session has/i.test(message);
  const told = factOf(code === undefined && isOfToken ? { ...error, code: 190 } : error);
  if (told !== undefined) return told;
  if (/unauthori[sz]ed|not authori[sz]ed|permission/i.test(message)) return { is: 'permission' };
  if (isRetriable || type === 'OffsetInvalidError' || type === 'PartialRequestError')
    return { is: 'transient' };
  if (type !== 'ProcessingFailedError') return undefined;
  const isPassing = /request processing failed/i.test(message) && mediaOf(error, 'media') === undefined;
  return { is: isPassing ? 'transient' : 'media' };
}

/** The property of the media that an error is about: that of its code, or the one that its text names in English. */
export function mediaOf(error: Coded, category: ErrorCategory | undefined): MediaProperty | undefined {
  const property = factOf(error)?.media;
  if (property !== undefined || category !== 'media') return property;
  return mediaProperties.find((name) =>
    new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i').test(error.message ?? ''),
  );
}

/** The names that texts of any language contain as they are. */
const mediaProperties = ['aspect_ratio', 'frame_rate', 'duration', 'codec'] as const;
