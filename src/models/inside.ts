import { fieldsOf, withoutGaps } from '../core/objects.ts';
import { pageCommentSchema, picsCommentSchema } from './comments.ts';
import type { Raw, Schema } from './fields.ts';
import * as s from './fields.ts';
import { toFigure } from './insightNumbers.ts';
import { type Media, mediaSchema } from './media.ts';
import { type PagePost, pagePostSchema, type PageVideo, pageVideoSchema } from './posts.ts';

/*
 * Entries of lists with what belongs to them, as one response holds both. What the platform left out is absent. Addresses
 * of further pages within an entry are removed: those of metrics lead on without end.
 */

/** Reads a {@link PagePost} with its metrics, and with those of these members that were asked for. */
export function postWith({
  totals,
  comments,
  shares,
}: Readonly<Record<'totals' | 'comments' | 'shares', boolean>>) {
  return extended<PagePost>(
    pagePostSchema,
    {
      reactions: unnamed,
      ...(shares ? {} : { shares: unnamed }),
      comments: comments ? s.dataOf(pageCommentSchema) : unnamed,
      insights: s.field((value) => metricsIn(value, (one) => one ?? undefined)),
    },
    (raw) => ({ totals: totals ? postTotals(raw) : undefined }),
  );
}

/** Reads a {@link PageVideo} with its metrics, and with its totals if these were asked for. */
export function videoWith({ totals }: { readonly totals: boolean }) {
  return extended<PageVideo>(
    pageVideoSchema,
    { likes: unnamed, comments: unnamed, video_insights: unnamed },
    ({ likes, comments, video_insights }) => ({
      totals: totals ? counted({ likes: countOf(likes), comments: countOf(comments) }) : undefined,
      insights: metricsIn(video_insights, toFigure),
    }),
  );
}

/** Reads a {@link Media} with its metrics and comments. */
export const mediaWithSchema = extended<Media>(mediaSchema, {
  insights: s.field((value) => metricsIn(value, s.toNumber)),
  comments: s.dataOf(picsCommentSchema),
});

/** A member that is read into another one. */
const unnamed = s.field(() => undefined);

/** The schema of a model with further members, of which some are made of the whole object. */
function extended<TModel>(
  schema: Schema<TModel>,
  members: Readonly<Record<string, Schema<unknown>>>,
  more?: (raw: Raw) => Readonly<Record<string, unknown>>,
): Schema<TModel> {
  // A schema of an object keeps the entries that it was made of.
  const entries = fieldsOf(schema)['entries'] as typeof members;
  const whole = s.objectTo({ ...entries, ...members }, (fields: Record<string, unknown>, raw) => {
    const further = more?.(raw) ?? {};
    for (const name in further) if (further[name] !== undefined) fields[name] = further[name];
    return s.withRaw(fields, raw);
  });
  // It has what the model's own entries read, and the optional members.
  return whole as Schema<unknown> as Schema<TModel>;
}

/** The totals in the summaries of a post; `undefined` if the platform did not count. */
function postTotals({ reactions, comments, shares }: Raw): PagePost['totals'] {
  const counts = counted({ reactions: countOf(reactions), comments: countOf(comments) });
  // A post that nobody shared has none.
  const shared = shares === undefined || shares === null ? 0 : s.toNumber(fieldsOf(shares)['count']);
  return counts && withoutGaps({ ...counts, shares: shared });
}

function counted<TCounts extends Record<string, number | undefined>>(counts: TCounts): TCounts | undefined {
  for (const name in counts) if (counts[name] !== undefined) return withoutGaps(counts);
  return undefined;
}

function countOf(list: unknown): number | undefined {
  return s.toNumber(fieldsOf(fieldsOf(list)['summary'])['total_count']);
}

/** The lifetime values of metrics by name; `undefined` if there are none. Read by hand: most of a page can be metrics. */
function metricsIn<TValue>(
  insights: unknown,
  toValue: (value: unknown) => TValue | undefined,
): Readonly<Record<string, TValue>> | undefined {
  if (!s.isObject(insights)) return undefined;
  Reflect.deleteProperty(insights, 'paging');
  const { data } = insights;
  if (!Array.isArray(data)) return undefined;
  let found: Record<string, TValue> | undefined;
  for (const one of data) {
    const { name, period = 'lifetime', values } = fieldsOf(one);
    const first: unknown = Array.isArray(values) ? values[0] : undefined;
    const value = toValue(fieldsOf(first)['value']);
    if (typeof name !== 'string' || period !== 'lifetime' || value === undefined) continue;
    found ??= {};
    // Assigned only where that makes a member: a name from the platform can be `__proto__`.
    if (name === '__proto__') found = Object.fromEntries([...Object.entries(found), [name, value]]);
    else found[name] = value;
  }
  return found;
}
