import { describe, expect, test } from 'vitest';

import { type Lane, lanes } from '../../src/core/http/governor.ts';
import { withOptions } from '../../src/core/settings.ts';
import { createGovernor, type GovernorOptions, limits } from '../../src/governor/index.ts';
import { laneOf } from '../../src/governor/uses.ts';
import * as page from '../../src/page/endpoints.ts';
import { me } from '../../src/page/me.ts';
import * as pics from '../../src/pics/endpoints.ts';
import { json, refusal, requestsTo, type Step, stubFetch } from '../core/stub.ts';
import { pageContext, token, virtualClock } from '../support/context.ts';

const person = { id: '1', name: 'Ada' };

/** A response that says how much of the app's limit is used. */
function used(percent: number, body: unknown = person): Step {
  return json(body, 200, { 'x-app-usage': JSON.stringify({ call_count: percent, total_time: 0 }) });
}

function governed(steps: readonly Step[], options: GovernorOptions = {}) {
  const fetch = stubFetch(...steps);
  const clock = virtualClock();
  const governor = createGovernor(options);
  return { fetch, clock, governor, context: pageContext({ fetch, clock, governor }) };
}

describe('lanes', () => {
  test('each function has one', () => {
    const byLane = Object.groupBy([...new Set(Object.keys({ ...page, ...pics }))].sort(), laneOf);

    expect(byLane.publish).toMatchInlineSnapshot(`
      [
        "addCaptions",
        "containerStatus",
        "publish",
        "publishCarousel",
        "publishComment",
        "publishContainer",
        "publishPhoto",
        "publishPhotoStory",
        "publishPhotos",
        "publishPost",
        "publishReel",
        "publishScheduledPost",
        "publishStory",
        "publishVideo",
        "publishVideoStory",
        "videoStatus",
        "videoStoryStatus",
      ]
    `);
    expect(byLane.interact).toMatchInlineSnapshot(`
      [
        "answerInvite",
        "blockUser",
        "deleteComment",
        "deleteMedia",
        "deleteMessengerProfile",
        "deletePost",
        "hideComment",
        "like",
        "likeMedia",
        "privateReply",
        "replyComment",
        "replyMention",
        "sendAction",
        "sendMessage",
        "sendReaction",
        "setCommentsEnabled",
        "unblockUser",
        "updateComment",
        "updateMessengerProfile",
        "updatePost",
        "updateProductTags",
        "uploadAttachment",
      ]
    `);
    expect(byLane.background).toBeUndefined();
  });

  test.each<[Lane, number]>([
    ['interact', 89],
    ['read', 74],
    ['background', 49],
  ])('%s is let through below its share only', async (lane, most) => {
    const { fetch, context } = governed([used(most - 1), used(most + 1)]);
    const own = withOptions(context, { lane })._unsafeUnwrap();
    const results = [await me(own, { token }), await me(own, { token }), await me(own, { token })];

    expect(results.map((result) => result.isOk())).toEqual([true, true, false]);
    expect(requestsTo(fetch)).toHaveLength(2);
    expect(results[2]?._unsafeUnwrapErr()).toMatchObject({
      name: 'RateLimitError',
      outcome: 'rejected',
      action: 'wait',
      operation: 'me',
      limit: { kind: 'app', id: 'app-id', percent: most + 1 },
      retryAfterMs: expect.any(Number),
    });
  });

  test('are named by the option of withOptions', () => {
    const { context } = governed([used(1)]);

    // @ts-expect-error no lane
    expect(withOptions(context, { lane: 'fast' })._unsafeUnwrapErr()).toMatchObject({ option: 'lane' });
    expect(lanes.every((lane) => withOptions(context, { lane }).isOk())).toBe(true);
  });
});

describe('limits', () => {
  test('are what the headers say', async () => {
    const { context, clock } = governed([used(12)]);
    await me(context, { token });

    expect((await limits(context))._unsafeUnwrap()).toEqual([
      { kind: 'app', id: 'app-id', percent: 12, observedAt: new Date(clock.now()) },
    ]);
  });

  test('need a governor', async () => {
    expect((await limits(pageContext()))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'governor',
    });
    expect((await limits({ ...pageContext() }))._unsafeUnwrapErr()).toMatchObject({ option: 'context' });
  });
});

test.each([
  [{ lanes: { read: 0 } }, 'lanes.read'],
  [{ lanes: { read: 101 } }, 'lanes.read'],
  [{ lanes: { reads: 50 } }, 'lanes.reads'],
  [{ lanes: [] }, 'lanes'],
  [{ maxWaitMs: -1 }, 'maxWaitMs'],
  [{ maxWaitMs: Infinity }, 'maxWaitMs'],
  [{ syncMs: 0 }, 'syncMs'],
  [{ store: {} }, 'store'],
  [{ onChange: 1 }, 'onChange'],
  [{ onStoreError: 'x' }, 'onStoreError'],
  [undefined, undefined],
])('the options %j are refused, for %s', (options, name) => {
  // A JavaScript caller may pass anything.
  const make = () => createGovernor(options as GovernorOptions);
  if (name === undefined) expect(make).not.toThrow();
  else
    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(name) }),
    );
});

test('a context takes what createGovernor made only', () => {
  // @ts-expect-error no governor
  expect(() => pageContext({ governor: {} })).toThrow();
  expect(refusal).toBeDefined();
});
