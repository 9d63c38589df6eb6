import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateComments } from '../../src/pics/iterateComments.ts';
import { authenticated, picsContext, picsGraphBase, token } from '../support/context.ts';

const fields =
  'id,text,timestamp,username,like_count,hidden,from,parent_id,' +
  'replies{id,text,timestamp,username,like_count,hidden}';
const options = { mediaId: '901', token };

describe('iterateComments', () => {
  test('walks the pages to the last, each entry once', async () => {
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${picsGraphBase}/901/comments?access_token=${token}&after=b` },
      });
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateComments(picsContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iterateComments(picsContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });
});
