import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createWriteMemory } from '../../src/core/writes/memory.ts';
import type { PicsContext } from '../../src/pics/context.ts';
import { publish } from '../../src/pics/publish.ts';
import { publishContainer } from '../../src/pics/publishContainer.ts';
import { publishStory } from '../../src/pics/publishStory.ts';
import {
  authenticated,
  dated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
} from '../support/context.ts';

const look = { ...authenticated, fields: 'status_code,status' };
const published = { container_id: '18', media_id: '19' };
function state(status_code: string, containerId = '18', base = picsGraphBase): void {
  nock(base).get(`/${containerId}`).query(look).reply(200, { status_code });
}

function context(): PicsContext {
  return picsContext({ clock: virtualClock(), memory: createWriteMemory() });
}

describe('publishContainer', () => {
  test.each([
    ['login', picsContext(), { token }, picsGraphBase, 'me'],
    ['page', picsPageContext(), { token, picsUserId: '17' }, graphBase, '17'],
  ])(
    'looks first and publishes a container that is ready in %s mode',
    async (_, of, options, base, account) => {
      state('FINISHED', '18', base);
      nock(base)
        .post(`/${account}/media_publish`, { creation_id: '18' })
        .query(authenticated)
        .reply(200, { id: '19' });

      const post = await publishContainer(of, { ...options, containerId: '18' });

      expect(post._unsafeUnwrap()).toEqual(published);
    },
  );

  test('waits for one that is not ready', async () => {
    state('IN_PROGRESS');
    state('FINISHED');
    nock(picsGraphBase).post('/me/media_publish').query(true).reply(200, { id: '19' });

    const post = await publishContainer(context(), { token, containerId: '18' });

    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test.each(['IN_PROGRESS', 'ERROR', 'EXPIRED'])('fails with ContainerNotReadyError at %s', async (code) => {
    state(code);

    const options = { token, containerId: '18', waitTimeoutMs: 0 };

    expect((await publishContainer(context(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ContainerNotReadyError',
      containerId: '18',
      statusCode: code,
      payload: { container_id: '18' },
    });
  });
});

const applied = {
  name: 'ApiError',
  message: 'the container is published already; which media it became cannot be told',
  outcome: 'applied',
  payload: { container_id: '18' },
};

describe('publishContainer of a container that another process made', () => {
  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('guesses at no media once it is published, in %s mode', async (_, base, contextOf) => {
    // No list is asked for: whatever it shows may be another's.
    state('PUBLISHED', '18', base);
    const of = contextOf({ clock: virtualClock(), memory: createWriteMemory() });

    const error = (
      await publishContainer(of, { token, containerId: '18', picsUserId: '401' })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject(applied);
  });

  test('guesses at none after a lost response either, and asks no longer than it must', async () => {
    const clock = virtualClock();
    state('FINISHED');
    nock(picsGraphBase).post('/408/media_publish').query(true).replyWithError(new Error('lost'));
    state('FINISHED');
    state('PUBLISHED');
    const of = picsContext({ clock, memory: createWriteMemory(), retry: { baseDelayMs: 500 } });

    const error = (
      await publishContainer(of, { token, containerId: '18', picsUserId: '408' })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'applied', payload: { container_id: '18' } });
    expect(clock.slept).toEqual([500, 1000]);
  });

  test('is unknown after a lost response where it is not published', async () => {
    state('FINISHED');
    nock(picsGraphBase).post('/408/media_publish').query(true).replyWithError(new Error('lost'));
    nock(picsGraphBase).get('/18').query(look).times(4).reply(200, { status_code: 'FINISHED' });

    const error = (
      await publishContainer(context(), { token, containerId: '18', picsUserId: '408' })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'unknown', payload: { container_id: '18' } });
  });

  test('returns what an earlier call of this process made of it', async () => {
    const of = context();
    state('FINISHED');
    nock(picsGraphBase).post('/407/media_publish').query(true).reply(200, { id: '19' });
    const first = await publishContainer(of, { token, containerId: '18', picsUserId: '407' });
    state('PUBLISHED');

    const second = await publishContainer(of, { token, containerId: '18', picsUserId: '407' });

    expect([first._unsafeUnwrap(), second._unsafeUnwrap()]).toEqual([published, published]);
  });

  test('finds that another process published it in the meantime', async () => {
    state('FINISHED');
    nock(picsGraphBase)
      .post('/409/media_publish')
      .query(true)
      .reply(400, { error: { message: 'Not ready', code: 9007, error_subcode: 2_207_027 } });
    state('PUBLISHED');

    const options = { token, containerId: '18', picsUserId: '409' };

    expect((await publishContainer(context(), options))._unsafeUnwrapErr()).toMatchObject(applied);
  });
});

describe('publishContainer of a container that this process made', () => {
  const imageUrl = 'https://example.com/a.jpg';

  /** A container of an image or a story that a first call leaves behind, not ready in time. */
  async function leave(of: PicsContext, kind: 'image' | 'story', base = picsGraphBase): Promise<void> {
    nock(base).post('/me/media').query(true).reply(200, { id: '18' }, dated(of.clock));
    const options = { token, imageUrl, waitTimeoutMs: 0 };
    if (kind === 'story') {
      state('IN_PROGRESS', '18', base);
      expect((await publishStory(of, options)).isErr()).toBe(true);
    } else {
      nock(base)
        .post('/me/media_publish')
        .query(true)
        .reply(400, { error: { message: 'Not ready', code: 9007, error_subcode: 2_207_027 } });
      state('IN_PROGRESS', '18', base);
      expect((await publish(of, { ...options, caption: 'Mine' })).isErr()).toBe(true);
    }
    await of.clock.sleep(60_000);
  }

  function listed(of: PicsContext, data: readonly object[]): void {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields: 'id,timestamp,media_type,caption', limit: '25' })
      .reply(200, { data }, dated(of.clock));
  }

  const image = (of: PicsContext, id: string, caption = 'Mine', agoMs = 0) => ({
    id,
    caption,
    media_type: 'IMAGE',
    timestamp: new Date(of.clock.now() - agoMs).toISOString(),
  });

  test('finds the media by its content, which it remembers', async () => {
    const of = context();
    await leave(of, 'image');
    state('PUBLISHED');
    listed(of, [image(of, '20', 'Other'), image(of, '19'), image(of, '21', 'Mine', 120_000)]);

    const post = await publishContainer(of, { token, containerId: '18' });

    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test.each([
    ['two fit', 2],
    ['none fits', 0],
  ])('fails with the outcome applied when %s', async (_, count) => {
    const of = context();
    await leave(of, 'image');
    state('PUBLISHED');
    listed(
      of,
      Array.from({ length: count }, (_one, at) => image(of, `${at}`)),
    );

    expect((await publishContainer(of, { token, containerId: '18' }))._unsafeUnwrapErr()).toMatchObject(
      applied,
    );
  });

  test('fails with the outcome applied when the list cannot be read', async () => {
    const of = context();
    await leave(of, 'image');
    state('PUBLISHED');
    nock(picsGraphBase)
      .get('/me/media')
      .query(true)
      .reply(403, { error: { message: 'No', code: 10 } });

    expect((await publishContainer(of, { token, containerId: '18' }))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'applied',
      payload: { error: { code: 10 }, container_id: '18' },
    });
  });

  test('does not take the newest post for a story, of which login mode has no list', async () => {
    const of = context();
    await leave(of, 'story');
    state('PUBLISHED');

    expect((await publishContainer(of, { token, containerId: '18' }))._unsafeUnwrapErr()).toMatchObject(
      applied,
    );
  });

  test('does not take what another call published', async () => {
    const of = context();
    await leave(of, 'image');
    nock(picsGraphBase).post('/me/media').query(true).reply(200, { id: '28' });
    nock(picsGraphBase).post('/me/media_publish').query(true).reply(200, { id: '29' });
    expect((await publish(of, { token, imageUrl, caption: 'Mine' }))._unsafeUnwrap().media_id).toBe('29');
    state('PUBLISHED');
    listed(of, [image(of, '29'), image(of, '19', 'Mine', 5000)]);

    expect((await publishContainer(of, { token, containerId: '18' }))._unsafeUnwrap()).toEqual(published);
  });

  test('tells nothing after ten minutes, since it has forgotten what else it published', async () => {
    const of = context();
    await leave(of, 'image');
    await of.clock.sleep(600_000);
    state('PUBLISHED');

    expect((await publishContainer(of, { token, containerId: '18' }))._unsafeUnwrapErr()).toMatchObject(
      applied,
    );
  });
});
