import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import { caller, pageOf, refusal, still } from '../support/caller.ts';

const day = 86_400_000;
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
const srt = '1\n00:00:00,000 --> 00:00:02,000\nGood morning\n';

async function reel(sandbox: Sandbox, isOut = true): Promise<string> {
  const { id, token } = pageOf(sandbox);
  const { post } = caller(sandbox);
  const { body } = await post(`/${id}/video_reels`, token, { upload_phase: 'start' });
  const { video_id } = body;
  const headers = { authorization: `OAuth ${token}`, offset: '0', file_size: '1000' };
  await sandbox.fetch(body.upload_url, { method: 'POST', headers, body: bytes });
  const form = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' };
  if (isOut) await post(`/${id}/video_reels`, token, form);
  return video_id;
}

function multipart(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

describe('captions', () => {
  async function setting() {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const { body } = await post(`/${id}/videos`, token, { file_url: 'https://cdn.test/a.mp4' });
    const path = `/${body.id}/captions`;
    const upload = (name: string, more: Readonly<Record<string, string>> = {}, text = srt) =>
      post(path, token, multipart({ captions_file: new File([text], name), ...more }));
    return {
      sandbox,
      upload,
      post: (form: Readonly<Record<string, string>>) => post(path, token, form),
      read: async (fields = 'locale,is_default') => (await get(path, token, { fields })).body.data,
    };
  }

  test('have the locale that the name of their file says', async () => {
    const { sandbox, upload, post, read } = await setting();

    expect((await upload('tour.en_US.srt', { default_locale: 'en_US' })).body).toEqual({ success: true });
    expect((await upload('tour.de_DE.srt')).body).toEqual({ success: true });
    expect(await read('locale,locale_name,is_default')).toEqual([
      { locale: 'en_US', locale_name: 'American English', is_default: true },
      { locale: 'de_DE', locale_name: 'German (Germany)', is_default: false },
    ]);
    for (const refused of [
      await upload('tour.srt'),
      await upload('tour.en_US.vtt'),
      await upload('tour.fr_FR.srt', { default_locale: 'it_IT' }),
      await upload('tour.fr_FR.srt', {}, 'no times'),
      await post({}),
    ]) {
      expect(refusal(refused)).toEqual([400, 100, undefined]);
    }
    expect(sandbox.effects('captions').map(({ content }) => content)).toEqual([
      { locale: 'en_US', default_locale: 'en_US' },
      { locale: 'de_DE' },
    ]);
  });

  test('are taken away by their locales', async () => {
    const { upload, post, read } = await setting();
    for (const locale of ['en_US', 'de_DE', 'fr_FR']) await upload(`tour.${locale}.srt`);

    const form = { locales_to_delete: '["de_DE","fr_FR"]', default_locale: 'en_US' };
    expect((await post(form)).body).toEqual({ success: true });

    expect(await read()).toEqual([{ locale: 'en_US', is_default: true }]);
    expect((await post({ default_locale: 'none' })).status).toBe(200);
    expect(await read()).toEqual([{ locale: 'en_US', is_default: false }]);
  });
});

describe('collaborators', () => {
  test('are invited once the Reel is out, and accept or decline', async () => {
    const sandbox = still();
    const { token } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const early = `/${await reel(sandbox, false)}/collaborators`;
    const id = await reel(sandbox);
    const path = `/${id}/collaborators`;
    const [one, two] = [pageOf(sandbox, 1).id, '404'];

    expect(refusal(await post(early, token, { target_id: one }))).toEqual([400, 100, undefined]);
    expect((await post(path, token, { target_id: one })).body).toEqual({
      success: true,
      collaborator_id: one,
      invitation_link: expect.stringMatching(/^https:/),
    });
    expect(refusal(await post(path, token, { target_id: one }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, token, {}))).toEqual([400, 100, undefined]);
    await post(path, token, { target_id: two });
    sandbox.happen({ kind: 'collaboration', on: id, by: one, accept: true });
    sandbox.happen({ kind: 'collaboration', on: id, by: two, accept: false });

    expect((await get(path, token)).body.data).toEqual([
      { id: one, invite_status: 'Accepted' },
      { id: two, invite_status: 'Declined' },
    ]);
    expect(() => sandbox.happen({ kind: 'collaboration', on: id, by: '405', accept: true })).toThrow('405');
    expect(sandbox.effects('collaborator').map((effect) => [effect.id, effect.parentId])).toEqual([
      [one, id],
      [two, id],
    ]);
  });

  test('are at most ten a day for a Page', async () => {
    const sandbox = still();
    const { token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const paths = [`/${await reel(sandbox)}/collaborators`, `/${await reel(sandbox)}/collaborators`];
    for (let at = 0; at < 10; at += 1) {
      const { status } = await post(paths[at % 2] ?? '', token, { target_id: String(100 + at) });
      expect(status).toBe(200);
    }

    expect(refusal(await post(paths[0] ?? '', token, { target_id: '200' }))).toEqual([400, 613, undefined]);
    sandbox.advance(day);
    expect((await post(paths[0] ?? '', token, { target_id: '200' })).status).toBe(200);
  });
});

describe('thumbnails', () => {
  test('are added, and the preferred one comes first', async () => {
    const sandbox = still();
    const { token } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const path = `/${await reel(sandbox)}/thumbnails`;
    const add = (source: BlobPart, is_preferred: string) =>
      post(path, token, multipart({ source: new File([source], 'a.jpg'), is_preferred }));

    expect((await add(bytes, 'false')).body).toEqual({ success: true });
    expect((await add(bytes, 'true')).body).toEqual({ success: true });
    expect(refusal(await add('not a picture', 'true'))).toEqual([400, 324, undefined]);
    expect(refusal(await post(path, token))).toEqual([400, 100, undefined]);

    const [, preferred] = sandbox.effects('thumbnail');
    expect((await get(path, token, { fields: 'id,is_preferred,uri' })).body.data).toMatchObject([
      { id: preferred?.id, is_preferred: true, uri: expect.stringMatching(/^https:/) },
      { is_preferred: false },
    ]);
  });
});
