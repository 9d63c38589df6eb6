import { describe, expect, test } from 'vitest';

import { pageOf, refusal, still } from '../support/caller.ts';
import { as, container, jpeg } from './support.ts';

describe('collaboration', () => {
  test('invites are listed until they are answered, which is final', async () => {
    const sandbox = still();
    const { get, post, account } = as('page', sandbox);
    const path = `${account}/collaboration_invites`;
    const [yes, no] = ['Together', 'Or not'].map((caption) =>
      sandbox.happen({ kind: 'media', by: 'mara', caption, invites: ['harbour'] }),
    );
    sandbox.happen({ kind: 'media', invites: ['fernfield'] });

    expect((await get(path)).body.data).toMatchObject([
      { media_id: no, caption: 'Or not' },
      {
        media_id: yes,
        caption: 'Together',
        media_owner_username: 'mara',
        media_url: expect.stringMatching(/^https:/),
      },
    ]);
    for (const accept of ['true', 'true']) {
      expect((await post(path, { media_id: yes ?? '', accept })).body).toEqual({ success: true });
    }
    await post(path, { media_id: no ?? '', accept: 'false' });
    expect((await get(path)).body.data).toEqual([]);
    expect(refusal(await post(path, { media_id: no ?? '', accept: 'true' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, { media_id: '404', accept: 'true' }))).toEqual([400, 100, 33]);
    expect(refusal(await post(path, { media_id: yes ?? '' }))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('invite_answer').map(({ id, content }) => [id, content])).toEqual([
      [yes, { accept: true }],
      [no, { accept: false }],
    ]);
  });

  test('partners are those who were invited and did not decline', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const form = { image_url: jpeg, collaborators: '["fernfield","mara","kim"]' };
    const creation_id = await container(mode, form);
    const { body } = await mode.post(`${mode.account}/media_publish`, { creation_id });
    sandbox.happen({ kind: 'collaboration', on: body.id, by: 'mara', accept: true });
    sandbox.happen({ kind: 'collaboration', on: body.id, by: 'kim', accept: false });

    expect((await mode.get(`/${body.id}/collaborators`)).body.data).toEqual([
      { id: pageOf(sandbox, 2).picsId, username: 'fernfield', invite_status: 'Pending' },
      { id: expect.any(String), username: 'mara', invite_status: 'Accepted' },
    ]);
    const fern = as('page', sandbox, pageOf(sandbox, 2).token);
    const invites = await fern.get(`/${pageOf(sandbox, 2).picsId}/collaboration_invites`);
    expect(invites.body.data).toMatchObject([{ media_id: body.id, media_owner_username: 'harbour' }]);
  });
});
