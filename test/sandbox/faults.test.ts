import { describe, expect, test } from 'vitest';

import type { FaultRule, Sandbox, TuningPatch } from '../../src/sandbox/index.ts';
import { caller, pageOf, proofOf, read, start, still, type Reply } from './support/caller.ts';

const publish = (sandbox: Sandbox): Promise<Reply> => {
  const { id, token } = pageOf(sandbox);
  return caller(sandbox).post(`/${id}/feed`, token, { message: 'x' });
};
const lost = { message: 'fetch failed', cause: { code: 'ECONNRESET' } };

describe('a fault', () => {
  test.each(['before', 'after'] as const)('of status strikes %s the effect', async (when) => {
    const sandbox = still();
    sandbox.fault({ status: 503, when });
    const reply = await publish(sandbox);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(reply.text).toMatch(/^<html>/);
    expect(sandbox.effects('post')).toHaveLength(when === 'after' ? 1 : 0);
    expect((await publish(sandbox)).status).toBe(200);
  });

  test.each(['before', 'after'] as const)('that drops the connection strikes %s the effect', async (when) => {
    const sandbox = still();
    sandbox.fault({ drop: true, when });
    await expect(publish(sandbox)).rejects.toMatchObject(lost);
    expect(sandbox.effects('post')).toHaveLength(when === 'after' ? 1 : 0);
    expect(sandbox.requests.at(-1)).toMatchObject({ status: undefined, faulted: true });
  });

  test('of error responds with an envelope', async () => {
    const sandbox = still();
    const headers = { 'x-app-usage': '{"call_count":100}' };
    sandbox.fault({
      error: { code: 4, error_subcode: 2_207_051, is_transient: false },
      status: 403,
      headers,
    });
    const reply = await publish(sandbox);
    expect(reply.status).toBe(403);
    expect(reply.body.error).toEqual({
      message: '(#4) An error occurred',
      type: 'OAuthException',
      code: 4,
      error_subcode: 2_207_051,
      is_transient: false,
      fbtrace_id: expect.any(String),
    });
    expect(reply.headers.get('x-app-usage')).toBe('{"call_count":100}');
  });

  test('of a body responds with just that', async () => {
    const sandbox = still();
    sandbox.fault({ status: 200, body: '{"id":', when: 'after' });
    expect((await publish(sandbox)).text).toBe('{"id":');
    sandbox.fault({ status: 200, body: { ok: 1 } });
    expect((await publish(sandbox)).body).toEqual({ ok: 1 });
    sandbox.fault({ status: 204 });
    expect((await publish(sandbox)).status).toBe(204);
  });

  test('of truncate sends headers and the first bytes, after the effect', async () => {
    const sandbox = still();
    sandbox.fault({ truncate: 5 });
    const { id, token } = pageOf(sandbox);
    const query = new URLSearchParams({
      access_token: token,
      appsecret_proof: proofOf(sandbox.app.secret, token),
    });
    const response = await sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/${id}/feed?${query}`, {
      method: 'POST',
      body: new URLSearchParams({ message: 'x' }),
    });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('{"id"');
    await expect(reader?.read()).rejects.toMatchObject(lost);
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('that hangs ends with the signal', async () => {
    const sandbox = still();
    sandbox.fault({ hang: true });
    const controller = new AbortController();
    const call = sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me`, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await expect(sandbox.fetch(sandbox.platform.graphUrl, { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(sandbox.requests).toHaveLength(1);
  });

  test('of delay keeps the real response, that of headers adds to it', async () => {
    const sandbox = still();
    sandbox.fault({ delayMs: 20, when: 'after' });
    const begun = performance.now();
    const slow = await publish(sandbox);
    // A timer may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(18);
    expect(slow.status).toBe(200);
    sandbox.fault({ addHeaders: { 'x-page-usage': '{"call_count":9}' } });
    const reply = await publish(sandbox);
    expect([reply.status, reply.headers.get('x-page-usage')]).toEqual([200, '{"call_count":9}']);
  });
});

describe('a rule', () => {
  const hits = async (rule: FaultRule, times = 6): Promise<boolean[]> => {
    const sandbox = still();
    sandbox.fault(rule);
    const found: boolean[] = [];
    for (let index = 0; index < times; index += 1) found.push((await publish(sandbox)).status === 500);
    return found;
  };

  test('hits once by default, or as often as the rule says, after a skip', async () => {
    expect(await hits({ status: 500 }, 3)).toEqual([true, false, false]);
    expect(await hits({ status: 500, skip: 1, times: 2 }, 4)).toEqual([false, true, true, false]);
    expect(await hits({ status: 500, times: Infinity }, 3)).toEqual([true, true, true]);
  });

  test('hits by method, host and path', async () => {
    const once = async (rule: Partial<FaultRule>): Promise<boolean> =>
      (await hits({ ...rule, status: 500 } as FaultRule, 1))[0] === true;
    expect(await once({ method: 'post' })).toBe(true);
    expect(await once({ method: 'GET' })).toBe(false);
    expect(await once({ host: 'graph' })).toBe(true);
    expect(await once({ host: 'upload' })).toBe(false);
    expect(await once({ path: '/feed' })).toBe(true);
    expect(await once({ path: '/eed' })).toBe(false);
    expect(await once({ path: `/${pageOf(still()).id}/feed` })).toBe(true);
    expect(await once({ path: /^\/\d+\/feed$/ })).toBe(true);
    expect(await once({ path: /v26/ })).toBe(false);
  });

  test('hits by chance, the same way for the same seed', async () => {
    const rule: FaultRule = { status: 500, chance: 0.5, times: Infinity };
    const first = await hits(rule, 20);
    expect(new Set(first).size).toBe(2);
    expect(await hits(rule, 20)).toEqual(first);
  });

  test('can be removed', async () => {
    const sandbox = still();
    const remove = sandbox.fault({ status: 500, times: Infinity });
    expect((await publish(sandbox)).status).toBe(500);
    remove();
    remove();
    expect((await publish(sandbox)).status).toBe(200);
  });
});

describe('a write whose response is lost', () => {
  test('can land later, at the time it lands', async () => {
    const sandbox = still();
    sandbox.tune({ writes: { landAfterMs: 3000 } });
    sandbox.fault({ drop: true, when: 'after' });
    await expect(publish(sandbox)).rejects.toThrow();
    sandbox.advance(2999);
    expect(sandbox.effects('post')).toEqual([]);
    sandbox.advance(1);
    expect(sandbox.effects('post').map(({ at }) => at)).toEqual([start + 3000]);
  });

  test('lands at its own time however far the clock jumps', async () => {
    const sandbox = still();
    sandbox.tune({ writes: { landAfterMs: 3000 } });
    sandbox.fault({ status: 500, when: 'after' });
    await publish(sandbox);
    sandbox.advance(60_000);
    const { id, token } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${id}/published_posts`, token, { limit: '1' });
    expect(body.data[0].created_time).toBe('2026-10-05T12:00:03+0000');
  });

  test('never lands when it would have been refused', async () => {
    const sandbox = still();
    sandbox.tune({ writes: { landAfterMs: 1 } });
    sandbox.fault({ drop: true, when: 'after', times: 2 });
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    await expect(post(`/${id}/feed`, token, {})).rejects.toThrow();
    await expect(post(`/${id}/feed`, 'nonsense', { message: 'x' })).rejects.toThrow();
    sandbox.advance(10);
    expect(sandbox.effects()).toEqual([]);
  });
});

describe('the way in', () => {
  test('leads nowhere else', async () => {
    const sandbox = still();
    await expect(sandbox.fetch('https://elsewhere.test/')).rejects.toMatchObject({
      cause: { code: 'ENOTFOUND' },
    });
    expect(sandbox.requests).toEqual([]);
  });

  test('takes a Request, minds redirect: error, and writes a log', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    sandbox.fault({ status: 302, headers: { location: 'https://elsewhere.test/' } });
    const url = `${sandbox.platform.graphUrl}/v26.0/${id}/feed?access_token=${token}`;
    await expect(sandbox.fetch(new Request(url, { redirect: 'error' }))).rejects.toThrow('fetch failed');
    const form = new FormData();
    form.set('message', 'hi');
    await read(await sandbox.fetch(new Request(url, { method: 'POST', body: form })));
    await sandbox.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"recipient":{"id":"1"}}',
    });
    expect(
      sandbox.requests.map(({ method, host, path, version, query, form: fields, json, status }) => [
        method,
        host,
        path,
        version,
        query,
        fields,
        json,
        status,
      ]),
    ).toEqual([
      ['GET', 'graph', `/${id}/feed`, 'v26.0', { access_token: token }, undefined, undefined, 302],
      ['POST', 'graph', `/${id}/feed`, 'v26.0', { access_token: token }, { message: 'hi' }, undefined, 400],
      [
        'POST',
        'graph',
        `/${id}/feed`,
        'v26.0',
        { access_token: token },
        undefined,
        { recipient: { id: '1' } },
        400,
      ],
    ]);
  });
});

describe('a rule that cannot work is refused when it is given', () => {
  test.each<readonly [rule: unknown, says: RegExp]>([
    [undefined, /fault rule must be an object/],
    [{}, /needs an action/],
    [{ times: 2 }, /needs an action/],
    [{ dorp: true }, /dorp/],
    [{ drop: true, path: '/feed', tiems: 2 }, /tiems/],
    [{ error: { code: 4 }, delayMs: 100 }, /error and delayMs exclude each other/],
    [{ drop: true, hang: true }, /drop and hang exclude each other/],
    [{ truncate: 3, addHeaders: {} }, /exclude each other/],
    [{ drop: true, status: 500 }, /exclude each other/],
    [{ error: { code: 4 }, body: 'x' }, /body/],
    [{ drop: true, headers: {} }, /headers/],
    [{ drop: false }, /drop of a fault rule must be true/],
    [{ drop: 'yes' }, /drop of a fault rule must be true/],
    [{ error: { code: '4' } }, /code of the error of a fault rule must be a whole number/],
    [{ error: 'down' }, /error of a fault rule must be an object/],
    [
      { error: { code: 4, subcode: 5 } },
      /^error\.subcode is not an option; the options are code, error_subcode/,
    ],
    [{ status: '500' }, /status/],
    [{ status: 5000 }, /status/],
    [{ status: 500, when: 'later' }, /when/],
    [{ status: 500, host: 'graphs' }, /host/],
    [{ status: 500, method: 5 }, /method/],
    [{ status: 500, path: 5 }, /path/],
    [{ status: 500, times: '2' }, /times/],
    [{ status: 500, skip: -1 }, /skip/],
    [{ status: 500, chance: 2 }, /chance/],
    [{ delayMs: '100' }, /delayMs/],
    [{ delayMs: Number.NaN }, /delayMs/],
    [{ addHeaders: 'x: y' }, /addHeaders/],
    [{ host: 'graph', cutUpload: 100 }, /cutUpload goes with the host upload only/],
  ])('%j', async (rule, says) => {
    const sandbox = still();

    expect(() => sandbox.fault(rule as FaultRule)).toThrow(says);
    expect((await publish(sandbox)).status).toBe(200);
  });

  test('by the compiler, too', () => {
    // @ts-expect-error -- one action a rule
    const both: FaultRule = { error: { code: 4 }, delayMs: 100 };
    // @ts-expect-error -- a body goes with a status
    const body: FaultRule = { drop: true, body: 'x' };
    // @ts-expect-error -- no such part
    const patch: TuningPatch = { container: {} };

    expect([both, body, patch]).toHaveLength(3);
  });

  test('and members that are undefined are as if left out', async () => {
    const sandbox = still();
    const rule = { status: 500, times: undefined, path: undefined, drop: undefined };
    sandbox.fault(rule as unknown as FaultRule);

    expect((await publish(sandbox)).status).toBe(500);
  });
});

describe('tune', () => {
  test.each<readonly [patch: unknown, says: RegExp]>([
    [undefined, /must be an object/],
    [{ container: { processingMs: 5 } }, /^container is not an option: containers is/],
    [{ containers: { processMs: 5 } }, /containers\.processMs/],
    [{ containers: { processingMs: '5' } }, /containers\.processingMs/],
    [{ containers: 5 }, /containers must be an object/],
    [{ lists: { sparse: 1 } }, /lists\.sparse/],
    [{ videos: { bytesPerSecond: 0 } }, /videos\.bytesPerSecond must be at least 1/],
    [{ lists: { lagMs: -1 } }, /lists\.lagMs must be at least 0/],
    [{ pics: { retiredMetrics: 'reach' } }, /pics\.retiredMetrics/],
  ])('refuses what it does not know: %j', (patch, says) => {
    expect(() => still().tune(patch as object)).toThrow(says);
  });

  test('changes nothing where a part of it is refused', async () => {
    const sandbox = still();
    expect(() => sandbox.tune({ lists: { lagMs: 60_000 }, list: {} } as object)).toThrow(
      /^list is not an option: lists is/,
    );
    await publish(sandbox);
    const { id, token } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${id}/feed`, token, { fields: 'message', limit: '1' });
    expect(body.data[0].message).toBe('x');
  });
});
