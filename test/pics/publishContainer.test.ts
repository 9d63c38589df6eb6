import nock from 'nock';
import { describe, expect, test } from 'vitest';

import type { PicsContext } from '../../src/pics/context.ts';
import { publish } from '../../src/pics/publish.ts';
import { publishContainer } from '../../src/pics/publishContainer.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
} from '../support/context.ts';

const look = { ...authenticated, fields: 'status_code,status' };
const published = { container_id: '18', media_id: '19' };
const start = Date.UTC(2026, 0, 2);
const hour = 3_600_000;

function ago(ms: number): string {
  return new Date(start - ms).toISOString();
}

function state(status_code: string, containerId = '18', base = picsGraphBase): void {
  nock(base).get(`/${containerId}`).query(look).reply(200, { status_code });
}

function listed(account: string, data: readonly object[], edge = 'media', base = picsGraphBase): void {
  nock(base)
    .get(`/${account}/${edge}`)
    .query({ ...authenticated, fields: 'id,timestamp', limit: '25' })
    .reply(200, { data });
}

function context(): PicsContext {
  return picsContext({ clock: virtualClock() });
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

describe('publishContainer of a published container', () => {
  test('returns the only media of the last 24 hours, and publishes nothing', async () => {
    state('PUBLISHED');
    listed('401', [
      { id: '19', timestamp: ago(23 * hour), media_type: 'VIDEO', caption: 'Any' },
      { id: '20', timestamp: ago(25 * hour) },
    ]);

    const post = await publishContainer(context(), { token, containerId: '18', picsUserId: '401' });

    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test('looks at posts and stories in page mode', async () => {
    state('PUBLISHED', '18', graphBase);
    listed('402', [{ id: '20', timestamp: ago(25 * hour) }], 'media', graphBase);
    listed('402', [{ id: '19', timestamp: ago(hour) }], 'stories', graphBase);

    const of = picsPageContext({ clock: virtualClock() });
    const post = await publishContainer(of, { token, containerId: '18', picsUserId: '402' });

    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test.each([
    ['two fit', '403', [ago(1), ago(2)]],
    ['none fits', '404', [ago(25 * hour)]],
  ])('fails with the outcome applied when %s', async (_, picsUserId, times) => {
    state('PUBLISHED');
    listed(
      picsUserId,
      times.map((timestamp, at) => ({ id: String(at), timestamp })),
    );

    const error = (
      await publishContainer(context(), { token, containerId: '18', picsUserId })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'the container is published already; which media it became cannot be told',
      outcome: 'applied',
      payload: { container_id: '18' },
    });
  });

  test('fails with the outcome applied when the list cannot be read', async () => {
    state('PUBLISHED');
    nock(picsGraphBase)
      .get('/405/media')
      .query(true)
      .reply(403, { error: { message: 'No', code: 10 } });

    const options = { token, containerId: '18', picsUserId: '405' };

    expect((await publishContainer(context(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'applied',
      payload: { error: { code: 10 }, container_id: '18' },
    });
  });

  test('does not take what another call of this process published', async () => {
    const of = context();
    nock(picsGraphBase).post('/406/media').query(true).reply(200, { id: '28' });
    nock(picsGraphBase).post('/406/media_publish').query(true).reply(200, { id: '29' });
    const other = await publish(of, { token, picsUserId: '406', imageUrl: 'https://example.com/a.jpg' });
    state('PUBLISHED');
    listed('406', [
      { id: '29', timestamp: ago(0) },
      { id: '19', timestamp: ago(hour) },
    ]);

    const post = await publishContainer(of, { token, containerId: '18', picsUserId: '406' });

    expect(other._unsafeUnwrap().media_id).toBe('29');
    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test('returns what an earlier call of this process made of it, whatever else is new', async () => {
    const of = context();
    state('FINISHED');
    nock(picsGraphBase).post('/407/media_publish').query(true).reply(200, { id: '19' });
    const first = await publishContainer(of, { token, containerId: '18', picsUserId: '407' });
    state('PUBLISHED');
    listed('407', [
      { id: '20', timestamp: ago(0) },
      { id: '19', timestamp: ago(0) },
    ]);

    const second = await publishContainer(of, { token, containerId: '18', picsUserId: '407' });

    expect([first._unsafeUnwrap(), second._unsafeUnwrap()]).toEqual([published, published]);
  });

  test('goes on after a lost answer, with the time of the first try', async () => {
    const of = context();
    state('FINISHED');
    nock(picsGraphBase).post('/408/media_publish').query(true).replyWithError(new Error('lost'));
    nock(picsGraphBase).get('/18').query(look).times(4).reply(200, { status_code: 'FINISHED' });
    const lost = await publishContainer(of, { token, containerId: '18', picsUserId: '408' });
    state('PUBLISHED');
    listed('408', [
      { id: '19', timestamp: ago(0) },
      { id: '20', timestamp: ago(hour) },
    ]);

    const post = await publishContainer(of, { token, containerId: '18', picsUserId: '408' });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', payload: { container_id: '18' } });
    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test('takes what the first of two lost tries published', async () => {
    const of = context();
    state('FINISHED');
    nock(picsGraphBase).post('/410/media_publish').query(true).times(2).reply(502, '');
    nock(picsGraphBase).get('/18').query(look).times(5).reply(200, { status_code: 'FINISHED' });
    const lost = await publishContainer(of, { token, containerId: '18', picsUserId: '410' });
    await of.clock.sleep(hour / 60);
    state('PUBLISHED');
    listed('410', [{ id: '19', timestamp: ago(0) }]);

    const post = await publishContainer(of, { token, containerId: '18', picsUserId: '410' });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect(post._unsafeUnwrap()).toEqual(published);
  });

  test('finds that another process published it in the meantime', async () => {
    state('FINISHED');
    nock(picsGraphBase)
      .post('/409/media_publish')
      .query(true)
      .reply(400, { error: { message: 'Not ready', code: 9007, error_subcode: 2_207_027 } });
    state('PUBLISHED');
    listed('409', [{ id: '19', timestamp: ago(0) }]);

    const post = await publishContainer(context(), { token, containerId: '18', picsUserId: '409' });

    expect(post._unsafeUnwrap()).toEqual(published);
  });
});

describe('bad input of publishContainer', () => {
  test.each([
    ['picsUserId', picsPageContext(), { token, containerId: '18' }],
    ['token', picsContext(), { token: '', containerId: '18' }],
    ['containerId', picsContext(), { token, containerId: '..' }],
    ['waitTimeoutMs', picsContext(), { token, containerId: '18', waitTimeoutMs: -1 }],
    ['onStatus', picsContext(), { token, containerId: '18', onStatus: {} as never }],
  ])('is refused before anything is sent: %s', async (option, of, bad) => {
    expect((await publishContainer(of, bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
