import type { JournalContext } from '../journal/types.ts';
import type { EffectLookup } from './effectLookup.ts';
import {
  type ListEntry,
  queryRecentEntries,
  type RecentEntriesRequest,
  textOf,
  toRecentEntries,
} from './recentEntries.ts';

/** A list whose entries are known by their text and time. */
export interface TextList<TValue>
  extends RecentEntriesRequest, Pick<EffectLookup<TValue>, 'idOf' | 'toValue' | 'dueAt'> {
  /** Names the list: equal for writes whose entries it shows. */
  readonly list: string;
  readonly text: string;
  readonly textField: string;
  readonly timeField: string;
  /** The entries in what the list holds, where they are nested or not all the caller's own. */
  readonly entriesIn?: ((listed: readonly ListEntry[]) => readonly ListEntry[]) | undefined;
}

/** Looks up a write by its text: a post, a reply, a message. Spaces at its ends do not count: the platform cuts them. */
export function findByText<TValue>(
  context: JournalContext,
  {
    list,
    text,
    textField,
    timeField,
    entriesIn = (listed) => listed,
    idOf,
    toValue,
    dueAt,
    ...request
  }: TextList<TValue>,
): EffectLookup<TValue> {
  const content = text.trim();
  return {
    list,
    content,
    idOf,
    toValue,
    dueAt,
    query: (limits) =>
      queryRecentEntries(context, { ...request, ...limits }).map((listed) => {
        const equal = entriesIn(listed).filter(({ [textField]: found }) => textOf(found).trim() === content);
        return { entries: toRecentEntries(equal, timeField) };
      }),
  };
}
