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
interface Fact {
  readonly is: ErrorCategory;
  /** @default that of the category */
  readonly action?: ErrorAction;
  readonly media?: MediaProperty;
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
const isMisused: Fact = { is: 'auth', action: 'fix' };

/**
 * What the platform's codes mean, one line a fact: `code/subcode`, `/subcode` under any code, or `code` alone. The most
 * exact one counts. The table in docs/errors.md is made of it.
 */
export const codes: Readonly<Record<string, ErrorCategory | Fact>> = {
  '102': 'auth',
  '104': isMisused,
  '190': 'auth',
  // The person has to act at the platform before a login helps.
  '190/459': isMisused,
  '190/464': isMisused,
  '190/490': isMisused,
  '190/492': isMisused,
  '190/2069032': isMisused,
  '100/36007': 'auth',
  '100/36008': 'auth',
  '100/36009': 'auth',
  '2500': 'auth',

  '3': 'permission',
  '10': 'permission',
  '27': 'permission',
  '2xx': 'permission',
  '10904': 'permission',
  '36104': 'permission',
  '2/2018344': 'permission',
  '25/2207050': 'permission',
  '/2018300': isOfOtherApp,
  '/2018321': 'permission',
  '/2207081': 'permission',
  '/2534037': isOfOtherApp,
  '/2534068': 'permission',

  '4': 'rate_limit',
  '17': 'rate_limit',
  '32': 'rate_limit',
  '341': 'rate_limit',
  '613': 'rate_limit',
  '80000': 'rate_limit',
  '80001': 'rate_limit',
  '80002': 'rate_limit',
  '80003': 'rate_limit',
  '80004': 'rate_limit',
  '80005': 'rate_limit',
  '80006': 'rate_limit',
  '80008': 'rate_limit',
  '80009': 'rate_limit',
  '80014': 'rate_limit',

  '9/2207042': 'quota',
  '9/2207069': 'quota',

  '368': 'policy',
  '508': 'policy',
  '4/2207051': { is: 'policy', isLate: true },
  '10/1893063': 'policy',
  '/1390008': 'policy',
  '/2534029': 'policy',
  '/2534122': 'policy',

  '551': 'recipient',
  '9010': 'recipient',
  '10900': 'recipient',
  '10902': 'recipient',
  '10903': 'recipient',
  '10/2018108': 'recipient',
  '100/2018001': 'recipient',
  '/1545041': 'recipient',
  '/2534001': 'recipient',
  '/2534013': 'recipient',
  '/2534014': 'recipient',
  '/2534025': 'recipient',

  '10/2018065': 'window',
  '10/2018278': 'window',
  '10/2534022': 'window',
  '-1/2534023': 'window',

  '324': 'media',
  '352': { is: 'media', media: 'format' },
  '382': { is: 'media', media: 'size' },
  '389': { is: 'media', media: 'url' },
  '6000': 'media',
  '6001': 'media',
  '9004': { is: 'media', action: 'retry', media: 'url' },
  '9007': { is: 'media', action: 'wait' },
  '36000': { is: 'media', media: 'size' },
  '36001': { is: 'media', media: 'format' },
  '36003': { is: 'media', media: 'aspect_ratio' },
  '/1363022': 'media',
  '/1363023': 'media',
  '/1363030': 'media',
  '/1363037': 'media',
  '/1363040': { is: 'media', media: 'aspect_ratio' },
  '/1363042': 'media',
  '/1363045': 'media',
  '/1363057': { is: 'media', media: 'url' },
  '/1363127': { is: 'media', media: 'resolution' },
  '/1363128': { is: 'media', media: 'duration' },
  '/1363129': { is: 'media', media: 'frame_rate' },
  '/1366046': { is: 'media', media: 'format' },
  '/1366051': 'media',
  '/2018008': { is: 'media', action: 'retry', media: 'url' },
  '/2018047': 'media',
  '/2018109': { is: 'media', media: 'size' },
  '/2069019': { is: 'media', media: 'format' },
  '/2207004': { is: 'media', media: 'size' },
  '/2207005': { is: 'media', media: 'format' },
  '/2207008': 'media',
  '/2207009': { is: 'media', media: 'aspect_ratio' },
  '/2207020': { is: 'media', action: 'retry' },
  '/2207026': 'media',
  '/2207027': { is: 'media', action: 'wait' },
  '/2207052': { is: 'media', action: 'retry', media: 'url' },
  '/2207053': { is: 'media', action: 'retry' },
  '/2207057': 'media',
  '/2207076': { is: 'media', action: 'retry', media: 'url' },
  '/2207077': { is: 'media', action: 'retry', media: 'url' },
  '/2207082': { is: 'media', action: 'retry' },
  '/2207083': 'media',

  '21': 'not_found',
  '803': 'not_found',
  '100/21': 'not_found',
  '100/33': 'not_found',
  '/2207006': 'not_found',
  '/2207013': 'not_found',

  '-2': 'transient',
  '-1': 'transient',
  '1': 'transient',
  '2': 'transient',
  '1200': 'transient',
  '/1363047': 'transient',
  '/1609010': 'transient',
  '/2207003': { is: 'transient', media: 'url' },

  '12': 'validation',
  '100': 'validation',
  '110': 'validation',
  '191': 'validation',
  '506': 'validation',
  '2200': 'validation',
  '2635': 'validation',
  '3001': 'validation',
  '36004': 'validation',
  '1609005': 'validation',
  '1/1446036': 'validation',
  '100/2534013': 'validation',
  '/1357046': 'validation',
  '/2207010': 'validation',
  '/2207018': 'validation',
  '/2207023': 'validation',
  '/2207028': 'validation',
  '/2207035': 'validation',
  '/2207036': 'validation',
  '/2207037': 'validation',
  '/2207040': 'validation',

  // A comment exists all the same: the platform refuses to read the fields that its answer should have.
  '20/1772107': { is: 'unknown', isLate: true },
  '/2207085': 'unknown',
};

/** What only the words of a message tell, in lower case; without a `code`, whatever the code is. */
const texts: readonly (Fact & { readonly code?: number; readonly words: readonly string[] })[] = [
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
  // One code for two faults, in the request and in its token.
  { code: 2500, words: ['path', 'syntax'], is: 'validation' },
  { words: ['thread owner'], ...isOfOtherApp },
  {
    words: ['unsupported request - method type:'],
    is: 'permission',
    hint: ' (the account is not connected to this app, or not with this id; or the platform has restricted the app)',
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
  const fact = exactFactOf(error) ?? codes[`${code}`] ?? codes[`/${code}`];
  // Any of these is a missing permission.
  return toFact(fact ?? (code !== undefined && code >= 200 && code < 300 ? codes['2xx'] : undefined));
}

/** What the words of an error or its subcode tell. */
function exactFactOf({ code, subcode, message = '' }: Coded): ErrorCategory | Fact | undefined {
  const said = message.toLowerCase();
  const told = texts.find(
    (text) => (text.code ?? code) === code && text.words.some((words) => said.includes(words)),
  );
  return told ?? codes[`${code}/${subcode}`] ?? codes[`/${subcode}`];
}

function toFact(fact: ErrorCategory | Fact | undefined): Fact | undefined {
  return typeof fact === 'string' ? { is: fact } : fact;
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
