import { describe, expect, test } from 'vitest';

import { effectKinds, isPublic, publishedKinds } from '../../src/sandbox/effects.ts';
import {
  createSandbox,
  type ExpectedPublished,
  type Sandbox,
  sandboxMatchers,
  type SandboxOptions,
} from '../../src/sandbox/index.ts';
import { spotIn, writings } from '../functions/index.ts';
import { openPlace } from '../functions/sandboxCalls.ts';

/** Any of these functions, as plain JavaScript calls it. */
type Loose = (...given: readonly unknown[]) => unknown;

const functions = [
  'effects',
  'issueToken',
  'killToken',
  'advance',
  'happen',
  'receiveMessage',
  'addUser',
  'addPage',
  'addAccount',
  'addPost',
  'addComment',
  'addMedia',
  'addLead',
] as const;

function loose(sandbox: Sandbox): Readonly<Record<(typeof functions)[number], Loose>> {
  // A call with wrong arguments is what is tested.
  return sandbox as unknown as Readonly<Record<(typeof functions)[number], Loose>>;
}

const on = createSandbox().pages[0]?.postIds[0] ?? '';

test.each<[name: (typeof functions)[number], given: readonly unknown[], message: string | RegExp]>([
  ['effects', ['posts'], /^there is no kind of effect posts: (\w+, )+\w+$/],
  ['issueToken', [{ scope: ['email'] }], 'scope is not an option: scopes is'],
  ['issueToken', [{ scopes: 'email' }], 'the scopes of issueToken must be a list of texts'],
  [
    'issueToken',
    [{ scopes: ['email', 'manage_pages'] }],
    /^there is no scope manage_pages: public_profile, /,
  ],
  [
    'issueToken',
    [{ granularScopes: ['email'] }],
    'the granularScopes of issueToken must be a list of objects',
  ],
  ['issueToken', [{ kind: 'app' }], 'there is no kind of token app: user, page, pics'],
  ['issueToken', ['page'], 'issueToken must be an object'],
  ['killToken', ['nope', 'expired'], 'the sandbox has no token nope'],
  ['killToken', [createSandbox().user.token, 'dead'], 'there is no reason dead: expired, revoked, password'],
  ['advance', ['5'], 'advance takes milliseconds: a finite number'],
  ['advance', [Number.NaN], 'advance takes milliseconds: a finite number'],
  ['happen', [{ kind: 'coment', on, message: 'Hi' }], 'there is no act coment: post, comment, lead, message'],
  [
    'happen',
    [{ kind: 'comment', postId: on, message: 'Hi' }],
    'postId is not an option; the options are kind, on, message, by',
  ],
  ['happen', [{ kind: 'comment', message: 'Hi' }], 'the on of the act must be a text'],
  [
    'happen',
    [{ kind: 'reaction', messageId: '1', undo: 'yes' }],
    'the undo of the act must be true or false',
  ],
  ['receiveMessage', [{ to: on, test: 'Hi' }], 'test is not an option; the options are contactId'],
  ['addPost', [{ pageId: '1', mesage: 'Hi' }], 'mesage is not an option: message is'],
  ['addComment', [{ on, message: 'Hi', at: '5' }], 'the at of the comment to add must be a number'],
  ['addMedia', [{ tag: ['harbour'] }], 'tag is not an option; the options are by, caption, tags'],
  [
    'addLead',
    [{ formId: '1', answers: ['Ada'] }],
    'the answers of the lead to add must be an object of texts',
  ],
  ['addUser', [{ nam: 'Ada' }], 'nam is not an option; the options are name'],
  ['addPage', [{ user: '1' }], 'user is not an option; the options are userId, name'],
  ['addAccount', [{ pageId: 1 }], 'the pageId of addAccount must be a text'],
])('%s refuses %j', (name, given, message) => {
  const sandbox = createSandbox();
  expect(() => loose(sandbox)[name](...given)).toThrow(message);
  expect(sandbox.effects()).toEqual([]);
});

test.each<[(sandbox: Sandbox, options: object) => Promise<unknown>, object, string]>([
  [
    (to, options) => to.deliver('http://127.0.0.1', options),
    { batch: 0 },
    'the batch of deliver must be a whole',
  ],
  [
    (to, options) => to.deliver('http://127.0.0.1', options),
    { attempt: 1 },
    'attempt is not an option: attempts is',
  ],
  [
    (to, options) => to.callBack('deletion', '', options),
    { user: '1' },
    'user is not an option; the options are userId, secret',
  ],
  [
    (to, options) => to.authorize('', options),
    { denied: true },
    'denied is not an option; the options are deny, scopes, as',
  ],
])('%s refuses %j', async (call, options, message) => {
  await expect(call(createSandbox(), options)).rejects.toThrow(message);
});

test.each([
  [{ seeds: 2 }, 'seeds is not an option: seed is'],
  [{ quota: { page: 1 } }, 'quota is not an option: quotas is'],
  [{ requireproof: false }, 'requireproof is not an option: requireProof is'],
  [{ pages: '2' }, 'the pages of createSandbox must be a number of at least 0'],
  [{ now: 5 }, 'the now of createSandbox must be a function'],
  [
    { appCreatedAt: '2026-11-04' },
    'the appCreatedAt of createSandbox must be a Date, or milliseconds since 1970',
  ],
  [{ quotas: { page: { calls: 5, window: 1000 } } }, 'quotas.page.window is not an option: windowMs is'],
])('createSandbox refuses %j', (options, message) => {
  expect(() => createSandbox(options as SandboxOptions)).toThrow(message);
});

test('effects takes all kinds, and names them', () => {
  const { effects } = loose(createSandbox());
  // The compiler holds these to be all.
  for (const kind of effectKinds) expect(effects(kind)).toEqual([]);
  expect(() => effects('posts')).toThrow(effectKinds.join(', '));
});

test('members that are undefined are as if left out', () => {
  const sandbox = createSandbox(
    Object.fromEntries([
      ['pages', undefined],
      ['sed', undefined],
    ]),
  );
  expect(loose(sandbox).happen({ kind: 'comment', on, message: 'Hi', by: undefined })).toBeTypeOf('string');
  expect(loose(sandbox).issueToken({ scopes: undefined })).toBeTypeOf('string');
});

describe('toHavePublished', () => {
  const asked = { equals: Object.is, isNot: true };

  test.each(writings.filter(({ kind }) => publishedKinds.includes(kind)))(
    'knows all members of what is published by $name',
    async ({ endpoint, prepare, options, call, realm }) => {
      const place = openPlace();
      const { sandbox, first, account } = place;
      const target = { page: first, account };
      const context = place[realm];
      const prepared = (await prepare?.({ sandbox, context, at: spotIn(realm, target) })) ?? '';
      const at = spotIn(realm, target, { prepared });
      const before = sandbox.effects().length;
      await (call?.(context, at) ?? endpoint.call(context, options(at)));
      const effects = sandbox.effects().slice(before);
      expect(effects).not.toEqual([]);
      for (const effect of effects.filter(isPublic)) {
        const { content, at: _, ...members } = effect;
        // One that is not known is refused.
        const published = { ...content, ...members } as ExpectedPublished;
        expect(sandboxMatchers.toHavePublished.call(asked, sandbox, published)).toMatchObject({ pass: true });
      }
    },
  );

  test('refuses a member that nothing published has, so that `not` does not pass', () => {
    const published = (): unknown =>
      sandboxMatchers.toHavePublished.call(asked, createSandbox(), { mesage: 'Hi' });
    expect(published).toThrow('mesage is not an option: message is');
  });
});
