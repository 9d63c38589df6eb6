import { afterAll, describe, expect, test } from 'vitest';

import { type AnySdkError, isFinal, memoryJournal, untilSettled } from '../../../../src/core/index.ts';
import { createPageContext } from '../../../../src/page/context.ts';
import { createPicsContext, createPicsContextViaPages } from '../../../../src/pics/context.ts';
import { publish, publishCarousel, publishContainer } from '../../../../src/pics/index.ts';
import { createSandbox, type Sandbox } from '../../../../src/sandbox/index.ts';
import { firstPage } from '../../../functions/index.ts';
import { thirdKind } from '../../../hostile/judge.ts';
import { publishings, variants } from './publishings.ts';

const minute = 60_000;

/** What happens to a request while there is trouble; `undefined` if it goes through. */
type Trouble = (request: Request, send: () => Promise<Response>) => Promise<Response> | undefined;

const refuse =
  (status: number, error: object, path = /./): Trouble =>
  ({ url, method }) =>
    method === 'POST' && path.test(new URL(url).pathname)
      ? Promise.resolve(Response.json({ error }, { status }))
      : undefined;

const troubles: Readonly<Record<string, Trouble>> = {
  'a network that is away': () => Promise.reject(new TypeError('fetch failed')),
  'responses that are lost': async (_, send) => {
    await send();
    throw new TypeError('fetch failed');
  },
  'a platform that is down': () => Promise.resolve(new Response('', { status: 503 })),
  'a limit': refuse(400, { code: 4, message: 'Application request limit reached' }),
  'a block': refuse(400, { code: 368, message: 'Blocked' }),
  'a quota': refuse(400, { code: 9, error_subcode: 2_207_042, message: 'Used up' }),
  'media that cannot be fetched': refuse(
    400,
    { code: 9004, error_subcode: 2_207_052, message: 'No' },
    /\/media$/,
  ),
  'an upload that breaks': ({ url }) =>
    url.includes('upload') ? Promise.reject(new TypeError('fetch failed')) : undefined,
};

const ends = new Map<string, number>();
afterAll(() => console.log(`until settled: ${JSON.stringify(Object.fromEntries(ends))}`));

/** A sandbox, and contexts that send through trouble. */
function open(trouble: Trouble, untilMs: number) {
  // Some schedule by the machine's clock.
  const now = Date.now();
  const sandbox: Sandbox = createSandbox({ now: () => now, posts: 2, comments: 2, leads: 1 });
  const { app, picsApp, clock, platform, account } = sandbox;
  const startedAt = clock.now();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const send = async (): Promise<Response> => sandbox.fetch(request);
    return (clock.now() - startedAt < untilMs ? trouble(request, send) : undefined) ?? send();
  };
  const common = { platform, fetch, clock, journal: memoryJournal() };
  return {
    sandbox,
    target: { page: firstPage(sandbox), account },
    machine: {
      context: createPageContext({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
      pics: createPicsContext({ ...common, appId: picsApp.id, appSecret: picsApp.secret })._unsafeUnwrap(),
      viaPages: createPicsContextViaPages({
        ...common,
        appId: app.id,
        appSecret: app.secret,
      })._unsafeUnwrap(),
    },
  };
}

function expectOneKind(error: AnySdkError): void {
  expect(thirdKind(error)).toBeUndefined();
}

describe.each(Object.entries({ ...publishings, ...variants }))('%s under a key', (name, publishing) => {
  const { call, kind, prepare, isBlind, hidesContent, hidesId, isGuarded } = publishing;
  const isHidden = isBlind || hidesContent || hidesId || isGuarded;

  test.each(Object.keys(troubles))(
    'is settled after ten minutes of %s, and published once',
    async (which) => {
      const { sandbox, machine, target } = open(troubles[which] ?? (() => undefined), 10 * minute);
      const prepared = await prepare?.(sandbox);
      const before = sandbox.effects(kind).length;
      const job = { idempotencyKey: 'row-1', message: 'Open until nine' };

      const result = await untilSettled(() => call(machine, { ...target, prepared }, job), {
        forMs: 4 * 60 * minute,
        onWait: ({ error }) => expectOneKind(error),
      });

      const made = sandbox.effects(kind).length - before;
      const how = result.isOk()
        ? 'published'
        : `${result.error.name} ${String((result.error as { outcome?: unknown }).outcome)}`;
      ends.set(`${which}: ${how}`, (ends.get(`${which}: ${how}`) ?? 0) + 1);
      if (result.isErr()) {
        expectOneKind(result.error);
        // Only where nothing tells whose effect it is, somebody has to look.
        expect({ isHidden, isFinal: isFinal(result.error), message: result.error.message }).toMatchObject({
          isHidden: true,
          isFinal: true,
        });
        expect(made).toBeLessThanOrEqual(1);
      } else expect(made).toBe(1);
    },
  );

  test('waits ten minutes for what the platform prepares', async () => {
    const { sandbox, machine, target } = open(() => undefined, 0);
    const prepared = await prepare?.(sandbox);
    const before = sandbox.effects(kind).length;
    sandbox.tune({ containers: { processingMs: 10 * minute }, videos: { settleMs: 10 * minute } });

    const result = await untilSettled(
      () => call(machine, { ...target, prepared }, { idempotencyKey: 'row-1', message: 'Open until nine' }),
      { forMs: 60 * minute, onWait: ({ error }) => expectOneKind(error) },
    );

    expect(result.mapErr(String)).toMatchObject({ value: {} });
    expect(sandbox.effects(kind)).toHaveLength(before + 1);
  });

  test('is published once containers no longer fail', async () => {
    const { sandbox, machine, target } = open(() => undefined, 0);
    const prepared = await prepare?.(sandbox);
    const before = sandbox.effects(kind).length;
    const endsAt = sandbox.clock.now() + 10 * minute;
    sandbox.tune({ containers: { fail: { subcode: 2_207_077, text: 'Media download has failed.' } } });

    const result = await untilSettled(
      () => call(machine, { ...target, prepared }, { idempotencyKey: 'row-1', message: 'Open until nine' }),
      {
        forMs: 60 * minute,
        onWait: ({ error }) => {
          expectOneKind(error);
          if (sandbox.clock.now() > endsAt) sandbox.tune({ containers: { fail: undefined } });
        },
      },
    );

    if (result.isOk()) expect(sandbox.effects(kind)).toHaveLength(before + 1);
    // It publishes a container that failed already.
    else
      expect({ name, isFinal: isFinal(result.error) }).toEqual({
        name: 'pics publishContainer',
        isFinal: true,
      });
  });

  test.each(Object.keys(troubles))(
    'has one effect at most without a key, whatever comes of %s',
    async (which) => {
      const { sandbox, machine, target } = open(troubles[which] ?? (() => undefined), 10 * minute);
      const prepared = await prepare?.(sandbox);
      const before = sandbox.effects(kind).length;
      const job = { idempotencyKey: undefined, message: 'Open until nine' };

      const result = await untilSettled(() => call(machine, { ...target, prepared }, job), {
        forMs: 4 * 60 * minute,
        onWait: ({ error }) => {
          expectOneKind(error);
          expect(error).toMatchObject({ outcome: 'rejected' });
        },
      });

      if (result.isErr()) {
        expectOneKind(result.error);
        expect(isFinal(result.error)).toBe(true);
      }
      expect(sandbox.effects(kind).length - before).toBeLessThanOrEqual(1);
    },
  );
});

describe('a container that failed, which another one may mend', () => {
  const failing = { containers: { fail: { subcode: 2_207_077, text: 'Media download has failed.' } } };
  const mended = { containers: { fail: undefined } };

  test('is replaced by the next call of a carousel under its key', async () => {
    const { sandbox, machine, target } = open(() => undefined, 0);
    sandbox.tune(failing);
    const carousel = {
      token: target.page.token,
      picsUserId: target.page.picsId,
      items: [{ videoUrl: 'https://example.com/a.mp4' }, { imageUrl: 'https://example.com/b.jpg' }],
      idempotencyKey: 'row-1',
    };

    const published = await untilSettled(() => publishCarousel(machine.viaPages, carousel), {
      onWait: ({ error }) => {
        expectOneKind(error);
        sandbox.tune(mended);
      },
    });

    expect(published.mapErr(String)).toMatchObject({ value: {} });
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('is final for publishContainer, which is given that one', async () => {
    const { sandbox, machine, target } = open(() => undefined, 0);
    sandbox.tune(failing);
    const own = { token: target.page.token, picsUserId: target.page.picsId };
    const reel = { ...own, videoUrl: 'https://example.com/a.mp4' };
    const refused = (await publish(machine.viaPages, reel))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'ContainerNotReadyError', action: 'retry', retryAfterMs: minute });

    const containerId = refused.name === 'ContainerNotReadyError' ? refused.containerId : '';
    const again = (await publishContainer(machine.viaPages, { ...own, containerId }))._unsafeUnwrapErr();

    expect(again).toMatchObject({ name: 'ContainerNotReadyError', action: 'fix' });
    expect(isFinal(again)).toBe(true);
  });
});
