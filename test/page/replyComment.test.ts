import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { replyComment } from '../../src/page/replyComment.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const after = '2026-01-02T03:04:06+0000';
const before = '2026-01-02T03:04:04+0000';
const date = new Date(now).toUTCString();

let replies = 0;

/** Options of a reply that is unique in this process: equal writes are each other's rivals. */
function reply(): { commentId: string; pageToken: string; message: string } {
  replies++;
  return { commentId: '1_9', pageToken: token, message: `Thank you! ${replies}` };
}

function post(message: string): nock.Interceptor {
  return nock(graphBase).post('/1_9/comments', { message }).query(authenticated);
}

function newest(): nock.Interceptor {
  return nock(graphBase)
    .get('/1_9/comments')
    .query({
      ...authenticated,
      fields: 'id,message,created_time,from',
      order: 'reverse_chronological',
      limit: '25',
    });
}

/** The Page that the token is of. */
const from = { id: '42', name: 'A Page' };

function me(): nock.Interceptor {
  return nock(graphBase)
    .get('/me')
    .query({ ...authenticated, fields: 'id' });
}

describe('replyComment', () => {
  test('posts the reply below the comment', async () => {
    const options = reply();
    post(options.message).reply(200, { id: '1_10' });

    expect((await replyComment(pageContext(), options))._unsafeUnwrap()).toEqual({ id: '1_10' });
  });

  test('returns the reply that a lost response had made, and no older or other one', async () => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(200, { id: '42' });
    newest().reply(
      200,
      {
        data: [
          { id: '1_13', message: 'Me too', created_time: after, from },
          { id: '1_12', message: ` ${message}\n`, created_time: after, from },
          { id: '1_11', message, created_time: before, from },
          { id: '1_10', created_time: after, from },
        ],
      },
      { date },
    );

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('does not send it again after a server error, and looks until the reply shows', async () => {
    const options = reply();
    const { message } = options;
    post(message).reply(500, refusal(2));
    newest().reply(200, { data: [] }, { date });
    newest().reply(500, 'no');
    newest().reply(500, 'no');
    me().reply(200, { id: '42' });
    newest().reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test.each([
    ['no reply shows', []],
    ['two replies fit', ['1_12', '1_13']],
  ])('does not know what happened when %s', async (_, ids) => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    if (ids.length > 0) me().reply(200, { id: '42' });
    newest()
      .times(4)
      .reply(200, { data: ids.map((id) => ({ id, message, created_time: after, from })) }, { date });

    const error = (await replyComment(pageContext({ clock: virtualClock(now) }), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test.each([
    ["a visitor's alone", [{ id: '7' }], undefined],
    ["a visitor's beside the own one", [{ id: '7' }, from], '1_11'],
    ['one that does not say whose it is', [undefined], undefined],
    ['one that does not say whose it is beside the own one', [undefined, from], '1_11'],
  ])('takes no equal reply of others: %s', async (_, authors, own) => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(200, { id: '42' });
    const data = authors.map((author, at) => ({
      id: `1_1${at}`,
      message,
      created_time: after,
      from: author,
    }));
    newest()
      .times(own === undefined ? 4 : 1)
      .reply(200, { data }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made.isOk() ? made.value.id : made.error).toEqual(
      own ?? expect.objectContaining({ outcome: 'unknown' }),
    );
  });

  test('looks again where it could not learn which Page the token is of', async () => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(500, 'no');
    me().reply(200, { id: '42' });
    newest()
      .times(2)
      .reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('leaves a reply to an equal one that may have made it', async () => {
    const context = pageContext({ clock: virtualClock(now) });
    const options = reply();
    const padded = { ...options, message: ` ${options.message}` };
    post(padded.message).reply(502, 'Bad Gateway');
    newest().times(4).reply(200, { data: [] }, { date });
    expect((await replyComment(context, padded)).isErr()).toBe(true);

    post(options.message).reply(502, 'Bad Gateway');
    me().reply(200, { id: '42' });
    newest()
      .times(4)
      .reply(200, { data: [{ id: '1_12', message: options.message, created_time: after, from }] }, { date });

    expect((await replyComment(context, options))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });

  test('takes no reply for its own that an equal one has made, or that has no id', async () => {
    const context = pageContext({ clock: virtualClock(now) });
    const options = reply();
    const { message } = options;
    me().times(2).reply(200, { id: '42' });
    const shows = (...ids: readonly (string | undefined)[]) =>
      newest().reply(200, { data: ids.map((id) => ({ id, message, created_time: after, from })) }, { date });
    post(message).times(2).reply(502, 'Bad Gateway');
    shows(undefined);
    shows('1_12');
    expect((await replyComment(context, options))._unsafeUnwrap()).toEqual({ id: '1_12' });

    shows('1_13', '1_12');
    expect((await replyComment(context, options))._unsafeUnwrap()).toEqual({ id: '1_13' });
  });

  test('finds its reply whatever blanks stand around the text', async () => {
    const options = reply();
    const { message } = options;
    post(` ${message}`).reply(502, 'Bad Gateway');
    me().reply(200, { id: '42' });
    newest().reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });
    const context = pageContext({ clock: virtualClock(now) });

    const made = await replyComment(context, { ...options, message: ` ${message}` });

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('sends it again when the rate was limited', async () => {
    const options = reply();
    post(options.message).reply(403, refusal(32));
    post(options.message).reply(200, { id: '1_10' });

    expect((await replyComment(pageContext(), options))._unsafeUnwrap()).toEqual({ id: '1_10' });
  });

  test('fails with what the platform says when it refuses, without a look', async () => {
    const options = reply();
    post(options.message).reply(400, refusal(368));

    const error = (await replyComment(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 368, category: 'policy', outcome: 'rejected' });
  });
});
