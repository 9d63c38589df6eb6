import { err, type Result, ResultAsync } from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import { guardHook } from '../http/guardHook.ts';
import { isAboutMetric, metricNames } from '../http/metrics.ts';
import { mapConcurrent } from '../http/send.ts';
import { fieldsOf, withHidden } from '../objects.ts';
import { parse, readList } from '../options/read.ts';
import * as rule from '../options/rules.ts';
import {
  afterEntry,
  afterFailure,
  afterPage,
  type Asking,
  type DeliveredPage,
  type Inside,
  isInPath,
  isUndeliverable,
  type Peek,
  resized,
  withParam,
} from './pages.ts';

/*
 * What belongs to the entries of a list, asked for within the list: `insights.metric(reach){name,values}` among the fields
 * of media. The platform reads it for each entry, and refuses the whole page where one entry cannot have it.
 *
 * What is refused costs no list: less is asked for, until the page comes. What was learned is kept for the walk. The
 * requests that this takes, besides those for the pages, are counted: once they are as many as a list may cost, nothing is
 * asked for within its entries any more. So no list costs more, whatever the platform refuses.
 */

/** What a list did not read of its entries. */
export interface Withheld {
  /** Metrics. */
  readonly metrics?: readonly string[] | undefined;
  readonly totals?: true | undefined;
  readonly comments?: true | undefined;
  readonly messages?: true | undefined;
  /** The message of the refusal, with the id of the entry if it is of one only. */
  readonly reason: string;
}

/** A list that asked for something within its entries. */
export interface WithWithheld {
  /**
   * Not enumerable. What was asked for and not read, of the entries that lack it, with the reason; empty if all was read.
   */
  readonly withheld: readonly Withheld[];
}

/** Option of functions that yield the entries of a list one by one. */
export interface WithheldOptions {
  /**
   * Called once with each thing that was asked for and is not read, before the first entry that lacks it. Anything it
   * throws is ignored.
   */
  readonly onWithheld?: ((withheld: Withheld) => unknown) | undefined;
}

/** The rule of {@link WithheldOptions}. */
export const withheldRules = { onWithheld: rule.optional(rule.hook) };

/** Comments to ask for within each entry: how many, at most. */
export type InnerComments = number | { readonly limit: number; readonly replies?: boolean | undefined };

/** Names of metrics: parentheses in them would be read as fields. */
const metricName = rule.refine(rule.text, (text) =>
  /^\s*\w+(?:\s*,\s*\w+)*\s*$/.test(text) ? undefined : 'must be the name of a metric',
);

/** `true`, or a list of metrics. */
export const metricsRule = rule.optional(
  rule.copying<true | readonly string[]>((value) =>
    value === true
      ? { copy: value }
      : Array.isArray(value) && value.length > 0
        ? readList(value, metricName)
        : 'must be true, or a list of metrics',
  ),
);

/** A number of comments, or how many with their replies. */
export function innerCommentsRule(most: number): rule.Rule<InnerComments | undefined> {
  const limit = rule.wholeBetween(1, most);
  const whole = rule.fields({ limit, replies: rule.optional(rule.flag) });
  return rule.optional(
    rule.copying((value) =>
      // The rule has the names of the type.
      typeof value === 'object' && value !== null
        ? (parse(whole, value) as { readonly copy: InnerComments } | rule.Fault)
        : parse(rule.wholeBetween(1, most, ', or { limit, replies }'), value),
    ),
  );
}

/** Refuses fields that name what an option asks for. */
export function checkInside(
  options: { readonly fields?: readonly string[] | undefined },
  edges: Readonly<Record<string, readonly string[]>>,
): rule.Fault | undefined {
  const given = fieldsOf(options);
  for (const [option, names] of Object.entries(edges)) {
    if (given[option] === undefined || given[option] === false) continue;
    const isTwice = options.fields?.some((field) => names.includes(/^\w*/.exec(field.trim())?.[0] ?? ''));
    if (isTwice) return rule.faultOf(`must not name what the option ${option} asks for`, 'fields');
  }
  return undefined;
}

type Part = 'metrics' | 'totals' | 'comments' | 'messages';

/** What is asked for within entries at the moment. */
interface Asked {
  readonly metrics: readonly string[];
  readonly has: (part: Part) => boolean;
}

/** What a function asks for within the entries of a list. */
export interface InsideRequest {
  /** The other fields. */
  readonly fields: string;
  readonly metrics?: readonly string[] | undefined;
  /** Parts besides metrics. */
  readonly parts: readonly Exclude<Part, 'metrics'>[];
  /** The fields that ask for it. */
  readonly toFields: (asked: Asked) => readonly string[];
  /** What is asked for instead once nothing else is within the entries; it may be refused as well. */
  readonly otherwise?: string | undefined;
  /** Whether each entry of the list can have a metric: the others go first. */
  readonly isCommon: (metric: string) => boolean;
  /** Which right is missed first: that for what people wrote, or that for metrics. */
  readonly first: 'people' | 'metrics';
  /** How many requests refusals may cost. */
  readonly spare: number;
  /** What a page shows that lacks a part of which nothing was refused: why it is not read. */
  readonly silence?: ((entries: readonly unknown[]) => Partial<Record<Part, string>>) | undefined;
  readonly onWithheld?: WithheldOptions['onWithheld'];
  /** Where to add what is not read. */
  readonly withheld?: Withheld[] | undefined;
}

/** What becomes of a refusal, and what was learned. */
interface Learning extends WithWithheld {
  /** The fields to ask for from now on. */
  readonly fields: () => string;
  /** Whether nothing is asked for within entries any more. */
  readonly isOver: () => boolean;
  /** The fields of an entry that was refused alone. */
  readonly fewer: (failure: RequestFailure) => string;
  /**
   * Takes a refusal of a page, and whether that is a single entry; one that was not even asked for is `known` to be refused.
   * Returns what to do: ask once more with other fields (`again`), find out which entry it is (`halve`), and ask for that
   * with fewer fields (`alone`); or what is done where nothing is asked for within entries.
   */
  readonly refused: (
    failure: RequestFailure,
    at: { readonly isAlone: boolean; readonly isKnown: boolean; readonly peek: Peek },
  ) => Promise<'again' | 'halve' | 'alone' | undefined>;
  /** Takes a page that arrived: the failure of its only entry, if it came with fewer fields; whether it is part of a search. */
  readonly arrived: (
    entries: readonly unknown[],
    at: { readonly without?: RequestFailure; readonly isPart: boolean },
  ) => void;
}

/** What a list asks for within its entries, and what it did not read. */
export interface InsideList extends Inside, Learning {}

/** Adds to a list what it did not read. */
export function withWithheld<TList extends object>(list: TList, withheld: readonly Withheld[] = []) {
  return withHidden(list, { withheld });
}

/** The field that asks for metrics: with their names and values only, since the rest is most of the response. */
export function metricsField(edge: string, metrics: readonly string[]): readonly string[] {
  return metrics.length === 0 ? [] : [`${edge}.metric(${metrics.join(',')}).period(lifetime){name,values}`];
}

/** What a page of which no entry has metrics says of them. */
export function withoutMetrics(
  entries: readonly unknown[],
  permission: string,
): Readonly<Partial<Record<'metrics', string>>> {
  const isWithout = entries.every((entry) => fieldsOf(entry)['insights'] === undefined);
  return isWithout ? { metrics: `the platform gave no numbers, as without ${permission}` } : {};
}

/** Parts that one right allows. */
const groups = { people: ['totals', 'comments'], metrics: ['metrics'], messages: ['messages'] } as const;
type Group = keyof typeof groups;

/** Failures that everything else would meet as well. */
const lasting: readonly string[] = ['auth', 'rate_limit', 'quota', 'policy', 'not_found'];

function isOfAll({ category, message }: Exclude<RequestFailure, TransportError>): boolean {
  return lasting.includes(category) || /access token/i.test(message);
}

export function createInside(request: InsideRequest): InsideList {
  const learning = createLearning(request);
  return { ...learning, ask: createAsk(learning) };
}

/** Asks for the pages of one list. */
function createAsk(learning: Learning): Inside['ask'] {
  /** A refusal of which one of the suspects is the cause. */
  let cause: RequestFailure | undefined;
  /** The size of pages before any was too large. */
  let usual: number | undefined;

  /** Goes on after the entry that was the cause: of pages that were too large, or of what is within them. */
  function pass(state: Asking['state'], failure: RequestFailure): void {
    state.size = afterEntry(state.size, isUndeliverable(failure) ? Infinity : 0);
    cause = undefined;
  }

  /** Asks for other fields from now on, if what is within the entries has changed: then no entry is searched for any more. */
  function refield(state: Asking['state'], wasTooMuch: boolean): void {
    const fields = learning.fields();
    if (state.fields === fields) return;
    if (isInPath(state)) state.path = withParam(state.path, 'fields', fields);
    else state.sent = { ...state.sent, fields };
    Object.assign(state, { fields, areUnchanged: false });
    const hadCause = cause;
    if (cause) pass(state, cause);
    // Without what was too much, pages are no longer too large.
    if (wasTooMuch && learning.isOver() && usual !== undefined)
      state.size = { next: usual, most: usual, failed: 0, suspects: 0, fitted: 0 };
    else if (!hadCause) return;
    Object.assign(state, resized(state, state.size.next));
  }

  return async ({ state, request, peek, pass: passOver }): Promise<Result<DeliveredPage, RequestFailure>> => {
    usual ??= state.size.most;
    /** Asks a single entry of the page. */
    const peekAtOne: Peek = (fields) => {
      const { path, sent } = state;
      Object.assign(state, resized(state, 1));
      const asked = peek(fields);
      Object.assign(state, { path, sent });
      return asked;
    };
    for (;;) {
      const known = state.size.suspects === 1 ? cause : undefined;
      const page = known ? err(known) : await request();
      if (page.isOk()) {
        state.size = afterPage(state.size);
        const { suspects, fitted, failed } = state.size;
        const isPart = cause !== undefined || (suspects > 0 && fitted >= failed);
        learning.arrived(page.value.entries, { isPart });
        refield(state, cause === undefined);
        return page;
      }
      const { error } = page;
      state.areUnchanged = false;
      const isAlone = !(state.size.next > 1);
      const isKnown = known !== undefined;
      const step = await learning.refused(error, { isAlone, isKnown, peek: peekAtOne });
      if (step === 'again') {
        refield(state, isUndeliverable(error));
        continue;
      }
      if (!step && !isUndeliverable(error)) return page;
      if (isAlone) {
        const fewer = step === 'alone' ? await request(learning.fewer(error)) : page;
        if (fewer.isErr()) {
          // What else belongs to the entry is refused too: that is left out of the list, and not the entry.
          const at = { isAlone, isKnown: false, peek: peekAtOne };
          if (step === 'alone' && (await learning.refused(fewer.error, at)) === 'again') {
            refield(state, isUndeliverable(fewer.error));
            continue;
          }
          cause = undefined;
          return passOver(error);
        }
        pass(state, error);
        learning.arrived(fewer.value.entries, { without: error, isPart: false });
        refield(state, isUndeliverable(error));
        return fewer;
      }
      state.size = afterFailure(state.size);
      if (!isUndeliverable(error)) {
        cause = error;
        state.size = { ...state.size, fitted: Infinity };
      }
      Object.assign(state, resized(state, state.size.next));
    }
  };
}

function createLearning(request: InsideRequest): Learning {
  const { parts, toFields, otherwise, isCommon, first, spare, silence } = request;
  const notify = guardHook(request.onWithheld);
  const { withheld = [] } = request;
  let metrics = metricNames(request.metrics ?? []).filter((name) => name !== '');
  let living: ReadonlySet<Group> = new Set(
    (['people', 'metrics', 'messages'] as const).filter((group) => partsOf(group).length > 0),
  );
  /** Why a metric or the parts of a group were refused last. */
  const reasons = new Map<string, string>();
  /** What was asked for when a page came last. */
  let agreed = { metrics, living };
  /** The combinations of groups that are still to be tried, the next one first; `undefined` before any. */
  let trials: (readonly Group[])[] | undefined;
  let spent = 0;
  let hasPeeked = false;
  /** Whether nothing is asked for instead. */
  let isBare = otherwise === undefined;
  const silent = new Set<Part>();

  function partsOf(group: Group): readonly Part[] {
    if (group === 'metrics') return metrics.length > 0 ? groups.metrics : [];
    return groups[group].filter((part) => parts.includes(part));
  }

  function fieldsWith(groups: ReadonlySet<Group>): string {
    const has = (part: Part): boolean => [...groups].some((group) => partsOf(group).includes(part));
    const inner = toFields({ metrics: groups.has('metrics') ? metrics : [], has });
    const instead = groups.size > 0 || isBare ? [] : [otherwise];
    return [request.fields, ...inner, ...instead].join(',');
  }

  function tell(names: readonly string[], of: Iterable<Group>, reason: string): void {
    const others = [...of].filter((group) => group !== 'metrics').flatMap(partsOf);
    const one = {
      ...(names.length > 0 && { metrics: names }),
      ...Object.fromEntries(others.map((part) => [part, true])),
      reason,
    };
    if (Object.keys(one).length === 1) return;
    withheld.push(one);
    notify?.(one);
  }

  /** Says what is not asked for any more since the last page, once for each reason. */
  function settle(): void {
    trials = undefined;
    const isGone = (name: string): boolean => !living.has('metrics') || !metrics.includes(name);
    const names = agreed.living.has('metrics') ? agreed.metrics.filter(isGone) : [];
    const gone = [...agreed.living].filter((group) => group !== 'metrics' && !living.has(group));
    const reasonOf = (name: string): string => reasons.get(name) ?? reasons.get('metrics') ?? '';
    const why = new Set([...names.map(reasonOf), ...gone.map((group) => reasons.get(group) ?? '')]);
    for (const reason of why)
      tell(
        names.filter((name) => reasonOf(name) === reason),
        gone.filter((group) => reasons.get(group) === reason),
        reason,
      );
    agreed = { metrics, living };
  }

  function drop(groups: Iterable<Group>): void {
    const gone = new Set(groups);
    living = new Set([...living].filter((group) => !gone.has(group)));
  }

  /**
   * Drops what costs too much, if all requests are spent that refusals may cost; metrics one request before, as they are
   * refused most, so that one is left for the rest. Returns whether it did.
   */
  function spend(): boolean {
    const isOver = spent >= spare;
    const gone = isOver ? [...living] : [...living].filter((group) => group === 'metrics');
    if (gone.length === 0 || !(isOver || (living.size > 1 && spent === spare - 1))) return false;
    for (const group of gone) reasons.set(group, reasons.get(group) ?? tooDear);
    drop(gone);
    trials = isOver ? [] : trials?.map((groups) => groups.filter((group) => group !== 'metrics'));
    return true;
  }

  function dropMetrics(dead: readonly string[], reason: string): void {
    for (const name of dead) reasons.set(name, reason);
    metrics = metrics.filter((name) => !dead.includes(name));
    if (metrics.length === 0) drop(['metrics']);
  }

  /** Drops the metrics that are refused, as far as the platform says which these are. */
  async function refuseMetrics(failure: RequestFailure, reason: string, peek: Peek): Promise<void> {
    const { message } = failure;
    const [, index = '', values] =
      /metric\[(\d+)\] must be one of the following values:([\w,\s]*)/.exec(message) ?? [];
    const valid = values?.split(/[\s,]+/) ?? [];
    const dead =
      values === undefined
        ? metrics.filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(message))
        : metrics.filter((name, at) => !valid.includes(name) || String(at) === index);
    const unusual = metrics.filter((name) => !isCommon(name));
    const rest = unusual.length > 0 ? unusual : metrics;
    if (metrics.length === 1) return dropMetrics(metrics, reason);
    // Of an entry whose kind lacks it. A second one says that there are more kinds.
    if (values === undefined && dead.length > 0) {
      dropMetrics(hasPeeked ? [...dead, ...unusual] : dead, reason);
      hasPeeked = true;
      return;
    }
    if (dead.length > 0) return dropMetrics(dead, reason);
    if (hasPeeked || spent + metrics.length >= spare) return dropMetrics(rest, reason);
    hasPeeked = true;
    spent += metrics.length;
    const asked = metrics;
    const found = await mapConcurrent(
      asked,
      (name) => peek(['id', ...toFields({ metrics: [name], has: (part) => part === 'metrics' })].join(',')),
      4,
    );
    const refused = found.flatMap((result) => (result.isErr() ? [result.error] : []));
    const gone = asked.filter((_, at) => found[at]?.isErr() === true && isAboutMetric(found[at].error));
    if (gone.length > 0) dropMetrics(gone, reason);
    // All of them are there, so that another entry lacks one; or nothing was learned.
    else if (refused.length === 0 || metrics.length > 0) dropMetrics(rest, reason);
  }

  /** Goes through the groups that one right each allows, as a refusal may be of any of them. */
  function refuseGroups(message: string): boolean {
    if (trials === undefined) {
      const last = first === 'people' ? 'metrics' : 'people';
      const here = ([first, last, 'messages'] as const).filter((group) => living.has(group));
      const named = here.filter((group) => namesOf[group].test(message));
      // Those that it names go first.
      const goes = [...named, ...here.filter((group) => !named.includes(group))];
      const fewer = here.length > 1 ? goes.map((gone) => here.filter((group) => group !== gone)) : [];
      trials = here.length > 0 ? [...fewer, []] : [];
    }
    const next = trials.shift();
    if (next) living = new Set(next);
    else if (isBare) return false;
    else isBare = true;
    return true;
  }

  return {
    withheld,
    fields: () => fieldsWith(living),
    isOver: () => living.size === 0,
    fewer: (failure) =>
      fieldsWith(new Set(isOfInsights(failure) ? [...living].filter((group) => group !== 'metrics') : [])),
    refused: async (failure, { isAlone, isKnown, peek }) => {
      if (!isKnown) spent++;
      if (failure.name === 'TransportError' || isOfAll(failure)) return undefined;
      if (living.size === 0 && trials === undefined && (isBare || isUndeliverable(failure))) return undefined;
      const reason = reasonOf(failure);
      for (const group of living) reasons.set(group, reason);
      if (spend()) return 'again';
      if (isUndeliverable(failure)) return isAlone ? 'alone' : 'halve';
      if (isOfInsights(failure) && living.has('metrics')) {
        if (!isAlone) return 'halve';
        if (!isOfOlder(failure)) return 'alone';
        drop(['metrics']);
        return 'again';
      }
      if (isAboutMetric(failure) && living.has('metrics')) {
        await refuseMetrics(failure, reason, peek);
        return 'again';
      }
      const isOfRight = failure.category === 'permission' || failure.category === 'validation';
      if (!isOfRight || failure.code === undefined || isOfOtherField(failure)) return undefined;
      return refuseGroups(failure.message) ? 'again' : undefined;
    },
    arrived: (entries, { without, isPart }) => {
      const isExtra = isPart || without !== undefined;
      if (isExtra) spent++;
      settle();
      if (without) {
        const gone = isOfInsights(without) ? (['metrics'] as const) : living;
        const names = living.has('metrics') ? metrics : [];
        const id = String(fieldsOf(entries[0])['id']);
        tell(names, gone, `entry ${id}: ${reasonOf(without)}`);
      }
      if (isExtra) spend();
      const quiet = entries.length > 0 ? (silence?.(entries) ?? {}) : {};
      for (const part of ['metrics', 'comments'] as const) {
        const reason = quiet[part];
        if (reason === undefined) continue;
        const isAsked = [...living].some((group) => partsOf(group).includes(part));
        if (!isAsked || silent.has(part) || without) continue;
        silent.add(part);
        const one = part === 'metrics' ? { metrics, reason } : { [part]: true as const, reason };
        withheld.push(one);
        notify?.(one);
      }
    },
  };
}

const tooDear = 'the platform refused it for too many entries';

/** How a refusal names what a group asks for. */
const namesOf: Readonly<Record<Group, RegExp>> = {
  people: /comment|reaction|user_content/i,
  metrics: /insight/i,
  messages: /message|messaging/i,
};

/** Whether the refusal is of the insights of single entries: media from before the conversion, stories with few viewers. */
function isOfInsights(failure: RequestFailure): boolean {
  return (
    isOfOlder(failure) ||
    (failure.name !== 'TransportError' && failure.code === 10 && /viewers/i.test(failure.message))
  );
}

/** Whether the entry is older than the account as a professional one: so are all that follow. */
function isOfOlder(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && failure.subcode === 2_108_006;
}

/** Whether a field is unknown that is not asked for within the entries. */
function isOfOtherField({ message }: RequestFailure): boolean {
  const [, name] = /nonexisting field \((\w+)\)/.exec(message) ?? [];
  return name !== undefined && !edges.includes(name);
}

const edges = [
  'insights',
  'video_insights',
  'comments',
  'reactions',
  'likes',
  'messages',
  'shares',
  'replies',
];

function reasonOf(failure: RequestFailure): string {
  const title = failure instanceof ApiError ? failure.userTitle : undefined;
  return title === undefined ? failure.message : `${failure.message}: ${title}`;
}

/** Reads one object with what belongs to it; what is refused of that costs only itself. */
export function readInside<TValue extends object>(
  inside: InsideList,
  ask: (fields: string) => ResultAsync<TValue, RequestFailure>,
  peek: Peek = async (fields) => ask(fields),
): ResultAsync<TValue & WithWithheld, RequestFailure> {
  return new ResultAsync(read());

  async function read(): Promise<Result<TValue & WithWithheld, RequestFailure>> {
    for (;;) {
      const value = await ask(inside.fields());
      if (value.isOk()) {
        inside.arrived([value.value], { isPart: false });
        return value.map((read) => withHidden(read, { withheld: inside.withheld }));
      }
      const { error } = value;
      const at = { isAlone: true, isKnown: false, peek };
      const step = await inside.refused(error, at);
      if (step === undefined) return err(error);
      if (step !== 'alone') continue;
      const fewer = await ask(inside.fewer(error));
      if (fewer.isErr()) {
        if ((await inside.refused(fewer.error, at)) === 'again') continue;
        return err(error);
      }
      inside.arrived([fewer.value], { without: error, isPart: false });
      return fewer.map((read) => withHidden(read, { withheld: inside.withheld }));
    }
  }
}
