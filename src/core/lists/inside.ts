import { fieldsOf } from '../objects.ts';
import { parse, readList } from '../options/read.ts';
import * as rule from '../options/rules.ts';

/*
 * What belongs to the entries of a list, asked for within the list: `insights.metric(reach){name,values}` among the fields
 * of media. Here are the options for it; `askInside.ts` asks, and says what becomes of a refusal.
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

/** The metrics to ask for. */
export function metricsOf(
  metrics: true | readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return metrics === true ? usual : (metrics ?? []);
}

/** How many comments to ask for, and whether with their replies. */
export function commentsOf(comments: InnerComments | undefined): {
  readonly limit: number;
  readonly replies?: boolean | undefined;
} {
  return typeof comments === 'object' ? comments : { limit: comments ?? 0 };
}

/** The field that asks for metrics: with their names and values only, since the rest is most of the response. */
export function metricsField(edge: string, metrics: readonly string[]): string | false {
  return metrics.length > 0 && `${edge}.metric(${metrics.join()}).period(lifetime){name,values}`;
}
