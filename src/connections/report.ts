import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type {
  ApiError,
  PermissionError,
  RateLimitError,
  RequestFailure,
  TransportError,
} from '../core/errors.ts';
import type { TokenInfo } from '../models/tokens.ts';
import type { Requirement } from './requirements.ts';

/**
 * What a reason concerns: the token itself; a permission that was not granted; one that was granted for other Pages or
 * accounts; what the person may do on the Page; a webhook that is not subscribed; a function that the mode lacks; the
 * access to data, which ends 90 days after the person last used the app; an end that is near; the account that is
 * linked to the Page; or something that no call shows.
 */
export type ReasonCode =
  | 'token'
  | 'permission'
  | 'asset'
  | 'task'
  | 'subscription'
  | 'mode'
  | 'data_access'
  | 'expires_soon'
  | 'linked_account'
  | 'unknown';

/** Why something does not work, or may not, and how to fix it. */
export interface Reason {
  readonly code: ReasonCode;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** The permission concerned, as the platform names it. */
  readonly permission?: string;
  /** The task that the person lacks; one of a list is enough. */
  readonly task?: string | readonly string[];
  /** The webhook field that is not subscribed. */
  readonly field?: string;
  /** What to do, in a sentence. */
  readonly fix: string;
}

/** Whether a function works. */
export interface FunctionReport {
  /** `undefined` if no call shows it: the reasons say why. */
  readonly works: boolean | undefined;
  /** All that is wrong; empty if it works. */
  readonly reasons: readonly Reason[];
}

/** What works with a token, and what does not. */
export interface ConnectionReport {
  /** `true` if no function is known to fail. */
  readonly works: boolean;
  /** By the name of the function. */
  readonly functions: Readonly<Record<string, FunctionReport>>;
  /** What the platform says about the token; `undefined` in login mode, where it says nothing. */
  readonly token: TokenInfo | undefined;
  /** Permissions to ask for: those that the functions need and the person did not grant. Sorted. */
  readonly missing: readonly string[];
  /** What stops no function, or none yet: events that do not arrive, and expiry dates that are near. */
  readonly warnings: readonly Reason[];
}

/** What the platform said about a connection. */
export interface Facts {
  readonly token: TokenInfo | undefined;
  /** Why no call with the token succeeds. */
  readonly dead?: Reason | undefined;
  /** Whose token it is, where that is known. */
  readonly kind: Requirement['token'];
  /** Why a permission does not hold; `undefined` where it does. */
  readonly lacking: (permission: string) => Reason | undefined;
  /** Why calls for the Page or the account fail whatever they ask for. */
  readonly faults: readonly Reason[];
  /** What the person may do on the Page; `undefined` where no call shows it. */
  readonly tasks: readonly string[] | undefined;
  readonly warnings: readonly Reason[];
}

/** The tasks that a person can have on a Page. */
export const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MANAGE', 'MESSAGING', 'MODERATE'];

/** What to do about a permission or an asset. */
export const relogin = 'Send the person through the login again';

/** Everything that prevents a function from working. */
function reasonsFor(name: string, requirement: Requirement, facts: Facts): readonly Reason[] {
  const { token, permissions, task, features = [] } = requirement;
  if (token === 'none') return [];
  if (facts.dead !== undefined) return [facts.dead];
  if (token === 'any') return [];
  const lacking = permissions.map(facts.lacking).filter((reason) => reason !== undefined);
  if (token === 'user') {
    // It concerns the person, regardless of the Pages they chose.
    const general = lacking.filter(({ code }) => code !== 'asset');
    return facts.kind === 'page' ? [notOfPerson(name), ...general] : general;
  }
  const unseen = features.map((feature) => unseenFeature(name, feature));
  return [...lacking, ...facts.faults, ...taskReasons(task, facts), ...unseen, ...ageReasons(name)];
}

function notOfPerson(name: string): Reason {
  return {
    code: 'token',
    message: `${name} needs the token of the person, and this is the token of a Page.`,
    fix: 'Call it with the user token that exchangeCode gave.',
  };
}

function taskReasons(needed: Requirement['task'], { tasks }: Facts): readonly Reason[] {
  // Without any task, the person gets no token for the Page at all.
  const task = needed ?? (tasks?.length === 0 ? allTasks : undefined);
  if (task === undefined) return [];
  const wanted = [task].flat();
  const words = wanted.join(' or ');
  if (tasks === undefined) {
    return [
      {
        code: 'unknown',
        message: `Whether the person has the task ${words} on the Page, this token does not show.`,
        task,
        fix: 'Check with the user token and pageId: the list of Pages shows the tasks.',
      },
    ];
  }
  if (wanted.some((one) => tasks.includes(one))) return [];
  return [
    {
      code: 'task',
      message: `The person does not have the task ${words} on the Page.`,
      task,
      fix: `Let somebody who manages the Page give the person ${words}, or let another person log in.`,
    },
  ];
}

function unseenFeature(name: string, feature: string): Reason {
  return {
    code: 'unknown',
    message: `${name} needs the feature ${feature}, and no call shows whether the app has it.`,
    fix: 'Look in the dashboard of the app, and ask for it by App Review.',
  };
}

/** A login-mode token must be a day old before it can be refreshed, and its age cannot be read. */
function ageReasons(name: string): readonly Reason[] {
  if (name !== 'refreshToken') return [];
  return [
    {
      code: 'unknown',
      message: 'A token can be refreshed once it is 24 hours old, and no call shows its age.',
      fix: 'Go by the time at which you stored it.',
    },
  ];
}

/** The report on a client's functions, from what the platform said. */
export function reportOf(
  functions: Readonly<Record<string, Requirement | undefined>>,
  facts: Facts,
): ConnectionReport {
  const reports = Object.entries(functions).map(([name, requirement]) => {
    const reasons = requirement === undefined ? [otherMode(name)] : reasonsFor(name, requirement, facts);
    const fails = reasons.some(({ code }) => code !== 'unknown');
    return [name, { works: fails ? false : reasons.length > 0 ? undefined : true, reasons }] as const;
  });
  const missing = reports.flatMap(([, { reasons }]) =>
    reasons.flatMap(({ code, permission }) => (code === 'permission' && permission ? [permission] : [])),
  );
  return {
    works: reports.every(([, { works }]) => works !== false),
    functions: Object.fromEntries(reports),
    token: facts.token,
    missing: [...new Set(missing)].toSorted(),
    warnings: facts.warnings,
  };
}

function otherMode(name: string): Reason {
  return {
    code: 'mode',
    message: `${name} is a function of the other mode.`,
    fix: 'Create a context of that mode, with a token for it.',
  };
}

/** The fields that a subscription lacks, or the whole subscription. */
export function subscriptionReasons(
  where: string,
  subscribed: readonly string[] | undefined,
  wanted: readonly string[],
  fix: string,
): readonly Reason[] {
  if (subscribed === undefined) {
    return [{ code: 'subscription', message: `${where} is not subscribed: no event arrives.`, fix }];
  }
  return wanted
    .filter((field) => !subscribed.includes(field))
    .map((field) => ({
      code: 'subscription',
      message: `${where} is not subscribed to ${field}: its events do not arrive.`,
      field,
      fix,
    }));
}

/** The result of a read: a value, or the platform's refusal. */
export type ValueOrRefusal<TValue> =
  | { readonly value: TValue; readonly refusal?: undefined }
  | { readonly value?: undefined; readonly refusal: ApiError | PermissionError | RateLimitError };

export type Read<TValue> = ResultAsync<ValueOrRefusal<TValue>, TransportError>;

/** A read whose refusal counts as a result. Only network failures stay failures. */
export function readOrRefusal<TValue>(read: ResultAsync<TValue, RequestFailure>): Read<TValue> {
  return read
    .map((value): ValueOrRefusal<TValue> => ({ value }))
    .orElse((failure): Result<ValueOrRefusal<TValue>, TransportError> =>
      failure.name === 'TransportError' ? err(failure) : ok({ refusal: failure }),
    );
}

/** Whether a refusal concerns what the token may see, and is not a failure of the platform. */
export function isDenied({ category }: NonNullable<ValueOrRefusal<unknown>['refusal']>): boolean {
  return category === 'permission' || category === 'not_found';
}

/** A reason for something that the platform did not report. */
export function untold(what: string, { message }: { readonly message: string }): Reason {
  return {
    code: 'unknown',
    message: `${what}, the platform did not tell: ${message}`,
    fix: 'Check again later.',
  };
}
