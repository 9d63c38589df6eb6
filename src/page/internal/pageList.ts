import type { ListRequest } from '../../core/lists/list.ts';
import { type Page, pageSchema } from '../../models/page.ts';
import type { PageContext } from '../context.ts';

/** How to read a list of Pages, whichever edge it is on. */
export function pageList(
  context: PageContext,
): Pick<ListRequest<Page>, 'query' | 'tokens' | 'item' | 'idOf'> {
  const { linkedAccount } = context.platform.words;
  return {
    query: { fields: `id,name,access_token,tasks,${linkedAccount}{id,username}` },
    tokens: 'named',
    item: pageSchema(linkedAccount),
    idOf: ({ id }) => id,
  };
}
