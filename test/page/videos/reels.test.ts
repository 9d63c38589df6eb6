import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishReel, type PublishReelOptions, reels } from '../../../src/page/videos/reels.ts';
import {
  authenticated,
  graphBase,
  pageContext,
  platform,
  token,
  virtualClock,
} from '../../support/context.ts';
import { refusal } from '../support.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const videoUrl = 'https://example.com/a.mp4';
const options = { pageId: '42', pageToken: token, videoUrl };
const ready = { video_status: 'ready', uploading_phase: { status: 'complete' } };
const notStarted = { status: 'not_started' };

function newestReels(form: nock.RequestBodyMatcher): nock.Interceptor {
  return nock(graphBase).post('/42/video_reels', form).query(authenticated);
}

function starts(upload_url = `${platform.uploadUrl}/video-upload/v26.0/9`): void {
  newestReels({ upload_phase: 'start' }).reply(200, { video_id: '9', upload_url });
}

function uploads(): void {
  nock(platform.uploadUrl, { reqheaders: { authorization: `OAuth ${token}`, file_url: videoUrl } })
    .post('/video-upload/v26.0/9', '')
    .reply(200, { success: true });
}

function told(fields: string): nock.Interceptor {
  return nock(graphBase)
    .get('/9')
    .query({ ...authenticated, fields });
}

/** The platform has taken the video in. */
function takenIn(): void {
  told('status').reply(200, { status: { uploading_phase: { status: 'complete' } } });
}

const links = 'status,published,post_id,permalink_url';

function sent(): void {
  starts();
  uploads();
  takenIn();
}

function publish(more: object = {}) {
  const context = pageContext({ clock: virtualClock(now) });
  return publishReel(context, { ...options, ...more } as PublishReelOptions);
}

describe('publishReel', () => {
  test('uploads the video, publishes it, and returns its post', async () => {
    const phases: string[] = [];
    sent();
    newestReels({
      upload_phase: 'finish',
      video_id: '9',
      video_state: 'PUBLISHED',
      title: 'Reel',
      description: 'One minute',
      place: '77',
      is_ai_generated: 'true',
    }).reply(200, { success: true });
    told(links).reply(200, { status: { video_status: 'processing' } });
    told(links).reply(200, { status: ready, published: true, post_id: '42_7', permalink_url: '/reel/9' });

    const reel = await publish({
      title: 'Reel',
      description: 'One minute',
      placeId: '77',
      isAiGenerated: true,
      onProgress: ({ phase }: { readonly phase: string }) => phases.push(phase),
      onCreated: (ids: unknown) => phases.push(JSON.stringify(ids)),
    });

    expect(reel._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '42_7', success: true });
    expect(phases).toEqual(['start', '{"video_id":"9"}', 'wait', 'finish', 'wait']);
  });

  describe('with collaborators', () => {
    function invites(target_id: string): nock.Interceptor {
      return nock(graphBase).post('/9/collaborators', { target_id }).query(authenticated);
    }
    function listed(data: readonly object[], times = 1): void {
      nock(graphBase)
        .get('/9/collaborators')
        .query({ ...authenticated, limit: '100' })
        .times(times)
        .reply(200, { data });
    }
    function out(): void {
      sent();
      newestReels({ upload_phase: 'finish', video_id: '9', video_state: 'PUBLISHED' }).reply(200, {
        success: true,
        post_id: '42_7',
      });
    }

    test('invites each of them once, after it is out', async () => {
      out();
      invites('7').reply(200, {
        success: true,
        collaborator_id: '7',
        invitation_link: 'https://example.com',
      });
      invites('8').reply(200, { success: true });

      const reel = await publish({ collaborators: ['7', '8', '7'] });

      expect(reel._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '42_7', success: true });
      expect(nock.isDone()).toBe(true);
    });

    test('looks up an invitation whose response was lost', async () => {
      out();
      invites('7').reply(502, 'Bad Gateway');
      listed([{ id: '6', invite_status: 'Declined' }]);
      listed([{ id: '7', invite_status: 'Pending' }]);
      invites('8').reply(200, { success: true });

      expect((await publish({ collaborators: ['7', '8'] })).isOk()).toBe(true);
      expect(nock.isDone()).toBe(true);
    });

    test('invites nobody else once it is unknown whether an invitation was sent', async () => {
      out();
      invites('7').replyWithError(new Error('socket hang up'));
      listed([], 4);

      const error = (await publish({ collaborators: ['7', '8'] }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'TransportError',
        outcome: 'applied',
        ids: { video_id: '9' },
        payload: { video_id: '9', not_invited: ['7', '8'] },
      });
      expect(nock.isDone()).toBe(true);
    });

    test('invites the others where the platform refuses one', async () => {
      out();
      invites('7').reply(400, refusal(100));
      invites('8').reply(200, { success: true });

      const error = (await publish({ collaborators: ['7', '8'] }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        code: 100,
        message: 'the Reel is published, but not all collaborators are invited: refused 100',
        outcome: 'applied',
        ids: { video_id: '9' },
        payload: { not_invited: ['7'] },
      });
      expect(nock.isDone()).toBe(true);
    });
  });

  describe('with a thumbnail', () => {
    function sets(): nock.Interceptor {
      return nock(graphBase)
        .post('/9/thumbnails', (body: string) =>
          /name="is_preferred"\r\n\r\ntrue\r\n[^]*name="source"; filename="source"/.test(body),
        )
        .query(authenticated);
    }

    test('sets it before the Reel is published, again after a lost response', async () => {
      sent();
      sets().reply(502, 'Bad Gateway');
      sets().reply(200, () => {
        newestReels(() => true).reply(200, { success: true, post_id: '42_7' });
        return { success: true };
      });

      expect((await publish({ thumbnail: new Uint8Array([1]) })).isOk()).toBe(true);
    });

    test('publishes nothing if the platform refuses it', async () => {
      sent();
      sets().reply(400, refusal(324));

      expect((await publish({ thumbnail: new Uint8Array([1]) }))._unsafeUnwrapErr()).toMatchObject({
        code: 324,
        outcome: 'rejected',
        ids: { video_id: '9' },
      });
    });
  });

  test('does not wait for a post that the response names', async () => {
    sent();
    newestReels(() => true).reply(200, '{"success":true,"post_id":12345678901234567}');

    expect((await publish())._unsafeUnwrap()).toEqual({
      video_id: '9',
      post_id: '12345678901234567',
      success: true,
    });
  });

  test.each([
    ['in time', { video_status: 'ready', processing_phase: { status: 'complete' } }, 2, true],
    ['after the wait', { processing_phase: { status: 'in_progress' } }, 3, false],
  ])('waits until people can play it, and says whether they can: %s', async (_, last, times, processed) => {
    sent();
    newestReels(() => true).reply(200, { success: true, post_id: '42_7' });
    // It is published, and its post is known; nobody can play it yet.
    const status = { publishing_phase: { status: 'complete' }, processing_phase: { status: 'in_progress' } };
    told(links)
      .times(times - 1)
      .reply(200, { status, published: true, post_id: '42_7' });
    told(links).reply(200, { status: last, published: true, post_id: '42_7' });

    const reel = await publish({ waitFor: 'processed', waitTimeoutMs: 2500 });

    expect(reel._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '42_7', processed, success: true });
  });

  test('fails where a published one cannot be processed', async () => {
    sent();
    newestReels(() => true).reply(200, { success: true, post_id: '42_7' });
    told(links).reply(200, {
      status: { processing_phase: { status: 'error', error: { message: 'bad codec' } } },
    });

    expect((await publish({ waitFor: 'processed' }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      category: 'media',
      ids: { video_id: '9' },
    });
  });

  test('schedules it', async () => {
    sent();
    newestReels({
      upload_phase: 'finish',
      video_id: '9',
      video_state: 'SCHEDULED',
      scheduled_publish_time: '1800000000',
    }).reply(200, { success: true });
    told(links).reply(200, {
      status: { ...ready, publishing_phase: { status: 'not_started', publish_status: 'scheduled' } },
    });

    expect((await publish({ scheduledAt: 1_800_000_000 }))._unsafeUnwrap()).toEqual({
      video_id: '9',
      success: true,
    });
  });

  test('gives the video alone when the time runs out after it was published', async () => {
    sent();
    newestReels(() => true).reply(200, { success: true });
    told(links)
      .times(3)
      .reply(200, { status: { video_status: 'processing' }, post_id: null });
    told(links).reply(503, 'Busy');

    expect((await publish({ waitTimeoutMs: 3000 }))._unsafeUnwrap()).toEqual({
      video_id: '9',
      success: true,
    });
  });

  test('looks once before it publishes, and once after, with no time to wait', async () => {
    sent();
    newestReels(() => true).reply(200, { success: true });
    told(links).reply(200, { status: { video_status: 'processing' } });

    expect((await publish({ waitTimeoutMs: 0 })).isOk()).toBe(true);
  });

  test('publishes nothing that the platform has not taken in in time', async () => {
    starts();
    uploads();
    told('status').reply(200, { status: { uploading_phase: { status: 'in_progress' } } });

    expect((await publish({ waitTimeoutMs: 0 }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
      ids: { video_id: '9' },
    });
  });

  test('says why the platform cannot use it, whenever it finds out', async () => {
    const errors = [{ message: 'Too wide', code: 1_363_040 }];
    const failed = { status: { processing_phase: { status: 'error', errors } } };
    starts();
    uploads();
    told('status').reply(200, failed);
    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      message: 'the platform cannot use the video: Too wide',
      outcome: 'rejected',
      ids: { video_id: '9' },
    });

    sent();
    newestReels(() => true).reply(200, { success: true });
    told(links).reply(200, failed);
    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      message: 'the platform cannot use the video: Too wide',
      category: 'media',
      subcode: 1_363_040,
      media: 'aspect_ratio',
      outcome: 'rejected',
      ids: { video_id: '9' },
    });
  });

  test.each([
    ['is published', { published: true }],
    ['has a post', { post_id: 7 }],
    ['is being published', { status: { publishing_phase: { status: 'in_progress' } } }],
    ['is to be published later', { status: { publishing_phase: { publish_status: 'scheduled' } } }],
  ])('is never sent again after a lost response, and done if the video %s', async (_, state) => {
    sent();
    newestReels(() => true).replyWithError(new Error('socket hang up'));
    told(links).reply(200, { status: {}, ...state });
    told(links).reply(200, { status: ready });

    expect((await publish())._unsafeUnwrap()).toMatchObject({ video_id: '9', success: true });
  });

  test.each([
    ['ready', { status: { ...ready, publishing_phase: notStarted } }],
    [
      'meant to be published',
      { status: { publishing_phase: { ...notStarted, publish_status: 'published' } } },
    ],
    ['not published', { status: {}, published: false, post_id: null }],
  ])('does not know what became of it when the video is only %s', async (_, state) => {
    sent();
    newestReels(() => true).reply(502, 'Bad Gateway');
    told(links).times(4).reply(200, state);

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      status: 502,
      outcome: 'unknown',
      ids: { video_id: '9' },
      payload: { video_id: '9' },
    });
  });

  test('names the video when the platform refuses to publish it', async () => {
    sent();
    newestReels(() => true).reply(400, refusal(6000, { error_subcode: 1_363_127 }));

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      code: 6000,
      outcome: 'rejected',
      ids: { video_id: '9' },
    });
  });

  test('says that it is published when it is aborted after that', async () => {
    const abort = new AbortController();
    sent();
    newestReels(() => true).reply(200, { success: true });

    told(links).reply(200, () => (abort.abort(), { status: { video_status: 'processing' } }));

    const error = (await publish({ signal: abort.signal }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'TransportError',
      reason: 'aborted',
      outcome: 'applied',
      ids: { video_id: '9' },
    });
  });

  test('sends no byte to another host', async () => {
    starts('https://elsewhere.test/9');

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
      ids: { video_id: '9' },
    });
  });

  test.each([
    ['videoUrl', { videoUrl: undefined }],
    ['videoUrl', { video: new Uint8Array(1) }],
    ['collaborators', { collaborators: [] }],
    ['collaborators', { collaborators: Array.from({ length: 11 }, (_, at) => `${at + 1}`) }],
    ['collaborators', { collaborators: ['7'], scheduledAt: now / 1000 + 3600 }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    expect((await publish(bad))._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('reels', () => {
  const fields =
    'id,title,description,created_time,updated_time,length,picture,permalink_url,post_id,published,scheduled_publish_time';

  const at = { pageId: '42', pageToken: token };

  test('lists 25 Reels with the ids of their posts as the feed has them', async () => {
    nock(graphBase)
      .get('/42/video_reels')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, { data: [{ id: '77', post_id: 7 }, { id: '78' }, { id: '79', post_id: '42_9' }] });

    const found = (await reels(pageContext(), at))._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '77', post_id: '42_7' }, { id: '78' }, { id: '79', post_id: '42_9' }]);
    expect(found[0]?.raw).toEqual({ id: '77', post_id: 7 });
    expect(Object.keys(found[0] ?? {})).not.toContain('raw');
  });

  test('sends its bounds in seconds', async () => {
    nock(graphBase)
      .get('/42/video_reels')
      .query({ ...authenticated, fields: 'id', since: '5', until: '9', limit: '3' })
      .reply(200, { data: [] });

    const found = await reels(pageContext(), {
      ...at,
      since: 5,
      until: new Date(9900),
      fields: ['id'],
      limit: 3,
    });

    expect(found._unsafeUnwrap()).toEqual([]);
  });
});
