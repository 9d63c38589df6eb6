import { type ListEntry, listOf, textOf } from '../../core/writes/recentEntries.ts';

/** The field that tells what a post shows. */
export const photoFields = ',attachments{target,subattachments{target}}';

/** The ids of what a post shows: one for one photo. */
export function photosIn({ attachments }: ListEntry): readonly string[] {
  return dataOf(attachments)
    .flatMap((attachment) => [attachment, ...dataOf(attachment['subattachments'])])
    .map(({ target }) => textOf((Object(target) as ListEntry)['id']));
}

function dataOf(list: unknown): readonly ListEntry[] {
  return listOf((Object(list) as ListEntry)['data']);
}
