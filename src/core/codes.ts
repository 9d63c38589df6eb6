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
  /** The least time after which it may help to call again, in milliseconds, where the platform names none. */
  readonly waitMs?: number;
  /** Whether the platform has been seen to refuse what it had done. */
  readonly isLate?: true;
  /** Whether it may refuse a request because an earlier one has done the same; `surely`, only because of that. */
  readonly repeats?: 'surely' | 'maybe';
  /** What helps, where the platform does not say it. */
  readonly hint?: string;
}

const isOfOtherApp: Fact = {
  is: 'permission',
  hint: ' (the app or the inbox that controls the conversation must hand it over)',
};

/** What a refused token needs that no login brings, or before one helps. */
export type TokenNeed = 'person' | 'role' | 'token';

/**
 * By what a refusal of a token tells that no login helps: its subcode, or its words. A living token of the wrong kind or
 * app, or the wrong secret: another one is needed. On a hold, the person acts on the platform first; of a lost role,
 * somebody gives it back. For the latter two, words count where there is no subcode, or 0, as in login mode.
 */
const needs: Readonly<Record<TokenNeed, readonly [subcodes: readonly number[], words: RegExp]>> = {
  token: [
    [2069032],
    /must be called with|token is required|secret required|app ?secret|belong to (?:this )?app|(?:another|different) app|validating application|token signature/i,
  ],
  person: [[459, 464, 490], /checkpoint|block|confirm|follow the instructions|disabled|suspended|is locked/i],
  role: [[492], /role on|in order to impersonate/i],
};

/** What the refusal of a token under code 102 or 190 needs; `undefined` if a login helps. */
export function needOf({ subcode, message = '' }: Pick<Coded, 'subcode' | 'message'>): TokenNeed | undefined {
  const names: readonly TokenNeed[] = ['token', 'person', 'role'];
  return names.find((name) => {
    const [subcodes, words] = needs[name];
    return subcodes.includes(subcode ?? 0) || ((name === 'token' || !subcode) && words.test(message));
  });
}

/** Those of a token that says nothing any more. */
const deadCodes = '102 190 2500';

/** Whether a login brings a token in place of one of which the platform says this. */
export function isMendedByLogin(error: Coded): boolean {
  // Not by the whole table, which is more than a check of tokens needs.
  const isDead = error.code === undefined || deadCodes.split(' ').includes(`${error.code}`);
  return isDead && needOf(error) === undefined;
}

/** The words of a refusal of the app itself, whatever the token may do. */
export const refusesApp: RegExp = /unsupported request - method type:|api access blocked/i;

const isMisused: Fact = { is: 'auth', action: 'fix' };

/**
 * What the platform's codes mean, one line a fact: `code/subcode`, `/subcode` under any code, or `code` alone. The most
 * exact one counts. The tables in docs/errors.md are made of it.
 */
export const facts: readonly (Fact & { readonly codes: string })[] = [
  { is: 'auth', codes: deadCodes },
  { is: 'auth', codes: '100/36007 100/36008 100/36009' },
  // Those under 190, and the same under 102, need something else than a login: see `needs`.
  { ...isMisused, codes: '104 190/459 190/464 190/490 190/492 190/2069032' },

  { is: 'permission', codes: '3 10 27 2xx 10904 36104 2/2018344 25/2207050 /2018321 /2207081 /2534068' },
  { ...isOfOtherApp, codes: '/2018300 /2534037' },

  { is: 'rate_limit', codes: '4 17 32 341 613 800xx /2446079 /2494055 /2534040' },
  // An account's 30 hashtags of 7 days.
  { is: 'rate_limit', waitMs: 86_400_000, codes: '18' },
  { is: 'quota', codes: '9/2207042 9/2207069' },
  { is: 'policy', codes: '508 10/1893063 /1390008 /2534029 /2534122' },
  // A block, and "You've already posted this" in any language.
  { is: 'policy', repeats: 'maybe', codes: '368' },
  { is: 'policy', isLate: true, codes: '4/2207051' },

  {
    is: 'recipient',
    codes: '551 9010 10902 10903 10/2018108 100/2018001 /1545041 /2534001 /2534013 /2534014',
  },
  { is: 'recipient', repeats: 'surely', codes: '10900 /2534025' },
  { is: 'window', codes: '10/2018065 10/2018278 10/2534022' },
  // Two clients that sent private replies read it differently.
  {
    is: 'window',
    repeats: 'maybe',
    hint: ' (or the comment was answered privately before)',
    codes: '-1/2534023',
  },

  {
    is: 'media',
    codes:
      '324 6000 6001 /1363022 /1363023 /1363030 /1363037 /1363042 /1363045 /2018047 /2207008 /2207026 /2207057 /2207083',
  },
  { is: 'media', repeats: 'maybe', codes: '/1366051' },
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
      '12 100 110 191 2200 2635 3001 36004 1609005 1/1446036 100/2534013 /1357046 /2207010 /2207018 /2207023 /2207028 /2207035 /2207036 /2207037 /2207040 /2207089',
  },
  { is: 'validation', repeats: 'maybe', codes: '506' },
  // A comment exists all the same: the platform refuses to read the fields that its answer should have.
  { is: 'unknown', isLate: true, codes: '20/1772107' },
  { is: 'unknown', codes: '/2207085' },
];

const byCode = new Map(facts.flatMap((fact) => fact.codes.split(' ').map((code) => [code, fact])));

/** What only the words of a message tell; without a `code`, whatever the code is. */
const texts: readonly (Fact & { readonly code?: number; readonly words: RegExp })[] = [
  // Unlike other faults under code 1, this one is permanent: the same request fails again.
  { code: 1, words: /reduce the amount of data/i, is: 'validation' },
  { code: 1, words: /does not belong to application/i, ...isMisused },
  // A token that is too young to be refreshed.
  { code: 100, words: /24 hours old/i, is: 'validation', action: 'wait', waitMs: 3_600_000 },
  {
    code: 100,
    words: /scheduled publish time is invalid/i,
    is: 'validation',
    // Its documents name several limits for posts; the least one.
    hint: ' (10 minutes ahead at least; at most 30 days for posts and photos, 29 for a Reel, six months for a video)',
  },
  // One code for two faults, in the request and in its token.
  { code: 2500, words: /path|syntax/i, is: 'validation' },
  { words: /thread owner/i, ...isOfOtherApp },
  {
    words: refusesApp,
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
  return exactFactOf(error) ?? byCode.get(familyOf(`${code}`)) ?? byCode.get(`/${code}`);
}

/** Whether an error may refuse a repetition, by its code or its subcode: of a block that names a reason, too. */
export function repeatsOf({ code, subcode }: Coded): Fact['repeats'] {
  return [`${code}/${subcode}`, `/${subcode}`, `${code}`, `/${code}`]
    .map((key) => byCode.get(key)?.repeats)
    .find((repeats) => repeats !== undefined);
}

/** Any of 200 to 299 is a missing permission, and any of 80000 to 80014 a limit of a kind of use. */
function familyOf(code: string): string {
  return code.replace(/^2\d\d$/, '2xx').replace(/^800(?:0\d|1[0-4])$/, '800xx');
}

/** What the words of an error or its subcode tell. */
function exactFactOf({ code, subcode, message = '' }: Coded): Fact | undefined {
  if ((code === 190 || code === 102) && needOf({ subcode, message })) return isMisused;
  const told = texts.find((text) => (text.code ?? code) === code && text.words.test(message));
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

/** The property of the media that an error is about: that of its code, or the one that its text names in English. */
export function mediaOf(error: Coded, category: ErrorCategory | undefined): MediaProperty | undefined {
  const property = factOf(error)?.media;
  if (property !== undefined || category !== 'media') return property;
  return mediaProperties.find((name) =>
    new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i').test(error.message ?? ''),
  );
}

/** The names that texts of any language contain as they are. */
const mediaProperties = ['aspect_ratio', 'frame_rate', 'duration', 'codec', 'resolution'] as const;
