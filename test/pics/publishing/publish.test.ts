import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import { close } from '../../../src/core/client.ts';
import { ContainerNotReadyError } from '../../../src/core/errors.ts';
import { memoryJournal } from '../../../src/core/index.ts';
import { createWriteMemory } from '../../../src/core/writes/memory.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import {
  containerStatus,
  publish,
  publishContainer,
  publishingLimit,
  type PublishOptions,
  publishStory,
  type PublishStoryOptions,
} from '../../../src/pics/publishing/publish.ts';
import {
  authenticated,
  dated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
} from '../../support/context.ts';
import { partOf } from '../../support/rules.ts';

describe('publish', () => {
  const imageUrl = 'https://example.com/a.jpg';

  const videoUrl = 'https://example.com/a.mp4';

  const published = { container_id: '18', media_id: '19' };

  const start = Date.UTC(2026, 0, 2);

  /** Responses for `count` reads of container 18. It returns how many were used. */
  function looks(body: nock.Body, count = 1, status = 200): nock.Scope {
    return nock(picsGraphBase)
      .get('/18')
      .query({ ...authenticated, fields: 'status_code,status' })
      .times(count)
      .reply(status, body);
  }

  function create(account = 'me', body?: nock.RequestBodyMatcher): void {
    nock(picsGraphBase).post(`/${account}/media`, body).query(authenticated).reply(200, { id: '18' });
  }

  function release(status: number, body: nock.Body, account = 'me'): void {
    nock(picsGraphBase)
      .post(`/${account}/media_publish`, { creation_id: '18' })
      .query(authenticated)
      .reply(status, body);
  }

  function refusal(code: number, error_subcode: number): nock.Body {
    return { error: { message: 'Refused', code, error_subcode } };
  }

  const notReady = refusal(9007, 2_207_027);

  describe('publish', () => {
    test.each([
      ['login', picsContext(), { token }, `${picsGraphBase}/me`],
      ['page', picsPageContext(), { token, picsUserId: '17' }, `${graphBase}/17`],
    ])(
      'makes a container of an image and publishes it at once in %s mode',
      async (_, context, options, base) => {
        nock(base)
          .post('/media', { image_url: imageUrl, caption: 'Open!' })
          .query(authenticated)
          .reply(200, '{"id":17900000000000001}');
        nock(base)
          .post('/media_publish', { creation_id: '17900000000000001' })
          .query(authenticated)
          .reply(200, '{"id":17900000000000002}');

        const post = await publish(context, { ...options, imageUrl, caption: 'Open!' });

        expect(post._unsafeUnwrap()).toEqual({
          container_id: '17900000000000001',
          media_id: '17900000000000002',
        });
      },
    );

    describe('with an add-on', () => {
      const account = `${graphBase}/17`;
      const own = { token, picsUserId: '17', imageUrl, caption: 'Tea or coffee?' };
      const poll = { options: ['Tea', 'Coffee'] };

      function publishes(form: object): void {
        nock(account)
          .post('/media', { image_url: imageUrl, caption: own.caption, ...form })
          .query(authenticated)
          .reply(200, { id: '18' });
        nock(account).post('/media_publish', { creation_id: '18' }).query(true).reply(200, { id: '19' });
      }

      test.each([
        [{ poll }, { poll_attachment: '{"option_a":"Tea","option_b":"Coffee"}' }, 'poll_attachment'],
        [
          { poll: { options: ['1', '2', '3', '4'], isEndless: true } },
          {
            poll_attachment: '{"option_a":"1","option_b":"2","option_c":"3","option_d":"4"}',
            is_poll_duration_extended: 'true',
          },
          'poll_attachment',
        ],
        [{ commentPrompt: true }, { is_comment_prompt_used: 'true' }, 'prompt_response'],
      ])('sends it, and says whether the post has it: %j', async (options, form, edge) => {
        for (const [found, addOn] of [
          [{ option_a: 'Tea', option_b: 'Coffee', data: [] }, 'attached'],
          [null, 'missing'],
        ] as const) {
          publishes(form);
          nock(graphBase).get(`/19/${edge}`).query(authenticated).reply(200, JSON.stringify(found));

          const post = await publish(picsPageContext(), { ...own, ...options });

          expect(post._unsafeUnwrap()).toEqual({ ...published, addOn });
        }
      });

      test.each([
        ['refused', (read: nock.Interceptor) => read.reply(400, refusal(100, 33))],
        ['unreadable', (read: nock.Interceptor) => read.reply(200, { data: [] })],
        ['lost', (read: nock.Interceptor) => read.replyWithError(new Error('socket hang up'))],
        ['down', (read: nock.Interceptor) => read.reply(503)],
      ])('is published whatever the read says, which is sent once: %s', async (_, answers) => {
        publishes({ poll_attachment: '{"option_a":"Tea","option_b":"Coffee"}' });
        answers(nock(graphBase).get('/19/poll_attachment').query(true));

        const post = await publish(picsPageContext(), { ...own, poll });

        expect(post._unsafeUnwrap()).toEqual(published);
        expect(nock.pendingMocks()).toEqual([]);
      });

      test('is a part of what a key stands for, and so is what became of it', async () => {
        publishes({ poll_attachment: '{"option_a":"Tea","option_b":"Coffee"}' });
        nock(graphBase).get('/19/poll_attachment').query(true).reply(200, 'null');
        const context = picsPageContext({ journal: memoryJournal() });
        const keyed = { ...own, poll, idempotencyKey: 'k' };

        const twice = [await publish(context, keyed), await publish(context, keyed)];
        const other = await publish(context, { ...keyed, poll: { options: ['Tea', 'Milk'] } });

        expect(twice.map((post) => post._unsafeUnwrap())).toEqual(
          Array(2).fill({ ...published, addOn: 'missing' }),
        );
        expect(other._unsafeUnwrapErr()).toMatchObject({
          name: 'ConfigurationError',
          option: 'idempotencyKey',
        });
      });

      test.each<[string, object, string]>([
        ['poll', { poll: { options: ['Tea'] } }, 'poll.options must be a list of 2 to 4'],
        ['poll', { poll: { options: ['1', '2', '3', '4', '5'] } }, 'poll.options must be a list of 2 to 4'],
        ['poll', { poll: { options: ['Tea', ''] } }, 'poll.options[1] must be a non-empty string'],
        ['poll', { poll: { options: ['1', '2'], isEndless: 1 } }, 'poll.isEndless must be a boolean'],
        ['caption', { poll, caption: ' ' }, 'caption must not be empty with poll, whose question it is'],
        [
          'caption',
          { commentPrompt: true, caption: undefined },
          'caption must not be empty with commentPrompt',
        ],
        ['commentPrompt', { poll, commentPrompt: true }, 'commentPrompt cannot be combined with poll'],
      ])('is refused before anything is sent: %s %j', async (option, bad, message) => {
        const post = await publish(picsPageContext(), { ...own, ...bad } as PublishOptions);

        const error = post._unsafeUnwrapErr();
        expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf(option) });
        expect(error.message).toContain(message);
      });
    });

    test('takes the defaults of a video for an image, and sends nothing of them', async () => {
      create('me', { image_url: imageUrl });
      release(200, { id: '19' });

      const options = { token, imageUrl, isReel: false, shareToFeed: false } as const;
      expect((await publish(picsContext(), options))._unsafeUnwrap()).toEqual(published);
    });

    test.each([
      ['in the feed by default', {}, { share_to_feed: 'true' }],
      ['as the platform likes with isReel', { isReel: true }, {}],
      ['as the caller says', { shareToFeed: false }, { share_to_feed: 'false' }],
      ['as the caller says with isReel', { isReel: true, shareToFeed: true }, { share_to_feed: 'true' }],
    ])('publishes a video as a Reel, shown %s', async (_, options, sent) => {
      create('me', { media_type: 'REELS', video_url: videoUrl, ...sent });
      looks({ status_code: 'FINISHED', id: '18' });
      release(200, { id: '19' });

      const post = await publish(picsContext(), { token, videoUrl, ...options });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    test.each([
      ['login', picsContext(), { token }, `${picsGraphBase}/me`, {}],
      [
        'page',
        picsPageContext(),
        {
          token,
          picsUserId: '17',
          productTags: [{ productId: '9007199254740993', x: 0.25, y: 1 }, { productId: '5' }],
          sponsorIds: ['9007199254740993', '6'],
          paidPartnership: true,
        },
        `${graphBase}/17`,
        {
          product_tags: '[{"product_id":"9007199254740993","x":0.25,"y":1},{"product_id":"5"}]',
          branded_content_sponsor_ids: '["9007199254740993","6"]',
          is_paid_partnership: 'true',
        },
      ],
    ])('sends all that is told of an image in %s mode', async (_, context, options, base, products) => {
      const form = {
        image_url: imageUrl,
        caption: '',
        alt_text: 'A door, "ajar"',
        location_id: '123',
        user_tags: '[{"username":"ada","x":0,"y":0.5}]',
        collaborators: '["bob","carl"]',
        is_ai_generated: 'false',
        ...products,
      };
      nock(base).post('/media', form).query(authenticated).reply(200, { id: '18' });
      nock(base).post('/media_publish').query(authenticated).reply(200, { id: '19' });

      const post = await publish(context, {
        ...options,
        imageUrl,
        caption: '',
        altText: 'A door, "ajar"',
        locationId: '123',
        userTags: [{ username: 'ada', x: 0, y: 0.5 }],
        collaborators: ['bob', 'carl'],
        isAiGenerated: false,
      });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    test('sends all that is told of a video, falsy values too, and no empty list', async () => {
      create('me', {
        media_type: 'REELS',
        video_url: videoUrl,
        share_to_feed: 'false',
        cover_url: 'https://example.com/caf%C3%A9.jpg',
        thumb_offset: '0',
        audio_name: 'Waves',
        trial_params: '{"graduation_strategy":"SS_PERFORMANCE"}',
        location_id: '123',
        user_tags: '[{"username":"ada"}]',
        is_ai_generated: 'true',
      });
      looks({ status_code: 'FINISHED', id: '18' });
      release(200, { id: '19' });

      const post = await publish(picsContext(), {
        token,
        videoUrl,
        shareToFeed: false,
        coverUrl: 'https://example.com/café.jpg',
        thumbOffsetMs: 0,
        audioName: 'Waves',
        trial: 'SS_PERFORMANCE',
        locationId: '123',
        userTags: [{ username: 'ada' }],
        collaborators: [],
        isAiGenerated: true,
      });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    const image = { token, imageUrl };
    const video = { token, videoUrl };
    const tag = { username: 'ada', x: 0.5, y: 0.5 };
    test.each<[string, object, string?]>([
      // Of the other kind.
      ['isReel', { ...image, isReel: true }, 'isReel is for videos only'],
      ['shareToFeed', { ...image, shareToFeed: true }],
      ['coverUrl', { ...image, coverUrl: imageUrl }],
      ['thumbOffsetMs', { ...image, thumbOffsetMs: 0 }],
      ['audioName', { ...image, audioName: 'Waves' }],
      ['trial', { ...image, trial: 'MANUAL' }],
      ['audio', { ...image, audio: { audioId: '5' } }, 'audio is for videos only'],
      ['altText', { ...video, altText: 'A door' }, 'altText is for images only'],
      ['productTags', { ...video, productTags: [] }],
      ['productTags', { ...image, productTags: [] }, 'productTags is for page mode only'],
      ['sponsorIds', { ...video, sponsorIds: ['5'] }, 'sponsorIds is for page mode only'],
      ['paidPartnership', { ...image, paidPartnership: true }, 'paidPartnership is for page mode only'],
      ['poll', { ...image, caption: 'Hi', poll: { options: ['a', 'b'] } }, 'poll is for page mode only'],
      [
        'commentPrompt',
        { ...video, caption: 'Hi', commentPrompt: true },
        'commentPrompt is for page mode only',
      ],
      // Tags.
      [
        'userTags',
        { ...image, userTags: [{ username: 'ada' }] },
        'userTags[0].x must be a number from 0 to 1',
      ],
      [
        'userTags',
        { ...image, userTags: [tag, { ...tag, y: 1.01 }] },
        'userTags[1].y must be a number from 0 to 1',
      ],
      ['userTags', { ...image, userTags: [{ ...tag, x: '0.5' }] }],
      ['userTags', { ...image, userTags: [{ ...tag, y: Number.NaN }] }],
      ['userTags', { ...image, userTags: [{ ...tag, username: ' ' }] }],
      ['userTags', { ...image, userTags: ['ada'] }, 'userTags[0] must be an object'],
      ['userTags', { ...image, userTags: 'ada' }, 'userTags must be a list'],
      // eslint-disable-next-line no-sparse-arrays
      ['userTags', { ...image, userTags: [tag, , tag] }],
      ['userTags', { ...video, userTags: [tag] }, 'userTags[0].x is for images only'],
      ['userTags', { ...video, userTags: [{ username: 'ada', y: 0 }] }],
      [
        'collaborators',
        { ...image, collaborators: ['ada', ''] },
        'collaborators[1] must be a non-empty string',
      ],
    ])('refuses a bad %s before anything is sent: %o', async (option, bad, message) => {
      const error = (await publish(picsContext(), bad as PublishOptions))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ConfigurationError',
        option: partOf(option),
        ...(message && { message }),
      });
    });

    test.each([
      [{}, 'productTags[0].productId must be a non-empty string'],
      [{ productId: '5', x: 2 }, 'productTags[0].x must be a number from 0 to 1'],
    ])('refuses a bad product tag: %o', async (bad, message) => {
      const options = { ...image, picsUserId: '17', productTags: [bad] } as PublishOptions;
      const error = (await publish(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf('productTags'), message });
    });

    test('adds music to a Reel in page mode', async () => {
      const form = { media_type: 'REELS', share_to_feed: 'true', video_url: videoUrl };
      const audios = [
        [{ audioId: '5' }, '{"audio_id":"5"}'],
        [
          { audioId: '5', audioVolume: 100, videoVolume: 0 },
          '{"audio_id":"5","audio_volume":100,"video_volume":0}',
        ],
      ] as const;
      for (const [audio, sent] of audios) {
        nock(graphBase)
          .post('/17/media', { ...form, audio_configuration: sent })
          .query(authenticated)
          .reply(200, { id: '18' });
        nock(graphBase).get('/18').query(true).reply(200, { id: '18', status_code: 'FINISHED' });
        nock(graphBase).post('/17/media_publish').query(true).reply(200, { id: '19' });

        const post = await publish(picsPageContext(), { token, picsUserId: '17', videoUrl, audio });

        expect(post._unsafeUnwrap()).toEqual(published);
      }
    });

    test('sends music in login mode too', async () => {
      create('me', {
        media_type: 'REELS',
        share_to_feed: 'true',
        video_url: videoUrl,
        audio_configuration: '{"audio_id":"5"}',
      });
      looks({ status_code: 'FINISHED', id: '18' });
      release(200, { id: '19' });

      const post = await publish(picsContext(), { token, videoUrl, audio: { audioId: '5' } });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    test.each([
      [{ sponsorIds: ['1', '2', '3'] }, 'sponsorIds', 'sponsorIds must be a list of 0 to 2'],
      [{ sponsorIds: ['1', ''] }, 'sponsorIds[1]', 'sponsorIds[1] must be a non-empty string'],
      [{ paidPartnership: 'yes' }, 'paidPartnership', 'paidPartnership must be a boolean'],
    ])('refuses a bad label before anything is sent: %o', async (bad, option, message) => {
      const own = { ...image, picsUserId: '17', ...bad } as PublishOptions;

      expect((await publish(picsPageContext(), own))._unsafeUnwrapErr()).toMatchObject({ option, message });
    });

    test.each([
      [picsContext, { audio: {} }, 'audio.audioId must be a non-empty string'],
      [picsPageContext, { audio: {} }, 'audio.audioId must be a non-empty string'],
      [
        picsPageContext,
        { audio: { audioId: '5', videoVolume: 101 } },
        'audio.videoVolume must be a number from 0 to 100',
      ],
    ])('refuses bad music before anything is sent: %# %o', async (contextOf, bad, message) => {
      const own = { ...video, picsUserId: '17', ...bad } as PublishOptions;

      expect((await publish(contextOf(), own))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: partOf('audio'),
        message,
      });
    });

    test('writes an address in ASCII, and leaves one that is ASCII as it is', async () => {
      create('me', { image_url: 'https://example.com/caf%C3%A9.jpg?a=%2F' });
      release(200, { id: '19' });
      const encoded = await publish(picsContext(), { token, imageUrl: 'https://example.com/café.jpg?a=%2F' });
      create('me', { image_url: 'https://example.com/a.jpg?sig=a~b|c' });
      release(200, { id: '19' });
      const plain = await publish(picsContext(), { token, imageUrl: 'https://example.com/a.jpg?sig=a~b|c' });

      expect([encoded._unsafeUnwrap(), plain._unsafeUnwrap()]).toEqual([published, published]);
    });

    test('makes the container again when the response to that is lost', async () => {
      nock(picsGraphBase).post('/me/media').query(authenticated).replyWithError(new Error('lost'));
      create();
      release(200, { id: '19' });

      expect((await publish(picsContext(), { token, imageUrl }))._unsafeUnwrap()).toEqual(published);
    });

    test('says that nothing was published when no container was made', async () => {
      nock(picsGraphBase).post('/me/media').query(authenticated).times(3).reply(500, 'Oops');

      expect((await publish(picsContext(), { token, imageUrl }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        outcome: 'rejected',
      });
    });
  });

  describe('media that the platform cannot fetch', () => {
    const unfetched = refusal(9004, 2_207_052);

    function refuseToCreate(times: number, body = unfetched): void {
      nock(picsGraphBase).post('/me/media').query(authenticated).times(times).reply(400, body);
    }

    test.each([unfetched, refusal(9004, 0), refusal(-1, 2_207_053), refusal(-2, 2_207_020)])(
      'is tried three times more, 5 seconds apart: %j',
      async (body) => {
        const clock = virtualClock();
        refuseToCreate(3, body);
        create();
        release(200, { id: '19' });

        const post = await publish(picsContext({ clock }), { token, imageUrl });

        expect(post._unsafeUnwrap()).toEqual(published);
        expect(clock.slept).toEqual([5000, 5000, 5000]);
      },
    );

    test('is refused after that, with the action to retry', async () => {
      const clock = virtualClock();
      refuseToCreate(4);

      const error = (await publish(picsContext({ clock }), { token, imageUrl }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ code: 9004, category: 'media', action: 'retry', outcome: 'rejected' });
      expect(clock.slept).toEqual([5000, 5000, 5000]);
    });

    test('is named in the message, without what may be secret of its address', async () => {
      refuseToCreate(1);
      const image = `https://example.com/${token}/b%20c.jpg?X-Amz-Signature=9f86d081`;

      const error = (
        await publish(picsContext(), { token, imageUrl: image, waitTimeoutMs: 0 })
      )._unsafeUnwrapErr();

      expect(error.message).toBe('Refused (https://example.com/[secret]/b%20c.jpg)');
    });

    test('is one of two where the Reel has a cover', async () => {
      refuseToCreate(1);
      const addresses = {
        videoUrl: 'https://example.com/a.mp4?a=1',
        coverUrl: 'https://example.com/b.jpg?b=2',
      };

      const error = (
        await publish(picsContext(), { token, ...addresses, waitTimeoutMs: 0 })
      )._unsafeUnwrapErr();

      expect(error.message).toBe('Refused (https://example.com/a.mp4, https://example.com/b.jpg)');
    });

    test('is tried again whatever the wall clock says', async () => {
      const clock = { ...virtualClock(), now: () => Date.UTC(2040, 0, 1) };
      refuseToCreate(1);
      create();
      release(200, { id: '19' });

      const post = await publish(picsContext({ clock, deadlineMs: 60_000 }), { token, imageUrl });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    test('is named only where it cannot be fetched', async () => {
      refuseToCreate(1, refusal(36_003, 2_207_009));

      const error = (await publish(picsContext(), { token, imageUrl }))._unsafeUnwrapErr();

      expect(error.message).toBe('Refused');
    });

    test('of a caption that is too long has its length, and the limit', async () => {
      refuseToCreate(1, refusal(36_004, 2_207_010));

      const error = (
        await publish(picsContext(), { token, imageUrl, caption: '\u{1F600}'.repeat(2201) })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        code: 36_004,
        message:
          'Refused: the caption has 2201 characters, 0 hashtags and 0 mentions; at most 2200, 30 and 20 are allowed',
      });
    });

    test.each([
      ['waitTimeoutMs', {}, { waitTimeoutMs: 9999 }, [5000]],
      ['waitTimeoutMs: 0', {}, { waitTimeoutMs: 0 }, []],
      ['deadlineMs', { deadlineMs: 5001 }, {}, [5000]],
    ])('is tried again within %s', async (_, settings, options, slept) => {
      const clock = virtualClock();
      refuseToCreate(slept.length + 1);

      const post = await publish(picsContext({ clock, ...settings }), { token, imageUrl, ...options });

      expect(post._unsafeUnwrapErr()).toMatchObject({ code: 9004, action: 'retry' });
      expect(clock.slept).toEqual(slept);
    });

    test('is not tried again once the call is aborted', async () => {
      refuseToCreate(1);
      const caller = new AbortController();
      const clock = { ...virtualClock(), sleep: async () => caller.abort() };

      const post = await publish(picsContext({ clock }), { token, imageUrl, signal: caller.signal });

      expect(post._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted', outcome: 'rejected' });
    });

    test('is no other fault of the media', async () => {
      refuseToCreate(1, refusal(36_003, 2_207_009));

      expect((await publish(picsContext(), { token, imageUrl }))._unsafeUnwrapErr()).toMatchObject({
        code: 36_003,
        action: 'fix',
      });
    });

    test('is tried again only where it has an address', async () => {
      nock(picsGraphBase).post('/me/media').query(authenticated).reply(400, unfetched);

      const post = await publish(picsContext(), { token, video: new Uint8Array(4) });

      expect(post._unsafeUnwrapErr()).toMatchObject({ code: 9004, action: 'retry' });
    });

    test.each([
      ['ERROR', 'Error: 2207077', 'the platform could not download the video', 'retry'],
      ['ERROR', 'Error: 2207082', 'a video without sound, which takes it with audio.videoVolume: 0', 'retry'],
      [
        '',
        'Error: Media download has failed. The media URI does not meet our requirements',
        '(ERROR: ',
        'fix',
      ],
      [undefined, 'Error: Media download has failed', '(ERROR: ', 'fix'],
      ['ERROR', 'Error: 2207026 frame_rate', '(ERROR: ', 'fix', 'media', 'frame_rate'],
      ['ERROR', 'Error: 2207081', '(ERROR: ', 'fix', 'permission', undefined],
    ])(
      'ends the wait with what is known of it: %j %j',
      async (status_code, status, why, action, category = 'media', media?: string) => {
        create();
        looks({ status_code, status, id: '18' });

        const error = (await publish(picsContext(), { token, videoUrl }))._unsafeUnwrapErr();

        expect(error).toMatchObject({
          name: 'ContainerNotReadyError',
          statusCode: 'ERROR',
          action,
          category,
        });
        if (media !== undefined) expect(error).toMatchObject({ media });
        expect(error.message).toContain(why);
      },
    );
  });

  describe('waiting for a container', () => {
    test('looks at growing intervals, at most 12 times for 90 seconds', async () => {
      const clock = virtualClock();
      create();
      nock(picsGraphBase)
        .get('/18')
        .query(true)
        .times(12)
        .reply(200, () => ({ status_code: clock.now() - start < 90_000 ? 'IN_PROGRESS' : 'FINISHED' }));
      release(200, { id: '19' });
      const elapsed: number[] = [];

      const post = await publish(picsContext({ clock }), {
        token,
        videoUrl,
        onStatus: ({ elapsedMs }) => elapsed.push(elapsedMs),
      });
      nock.cleanAll();

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(elapsed.length).toBeLessThanOrEqual(12);
      expect(elapsed[0]).toBe(0);
      expect(elapsed.at(-1)).toBeLessThan(120_000);
      expect(clock.slept[0]).toBe(1000);
      expect(clock.slept).toEqual(clock.slept.toSorted((a, b) => a - b));
      expect(Math.max(...clock.slept)).toBeLessThanOrEqual(30_000);
    });

    test('ends after 300 seconds with a look at the very end, and names the container', async () => {
      const clock = virtualClock();
      create();
      nock(picsGraphBase)
        .get('/18')
        .query(true)
        .times(99)
        .reply(200, { status_code: 'IN_PROGRESS', status: 'In Progress: hold on' });

      const error = (await publish(picsContext({ clock }), { token, videoUrl }))._unsafeUnwrapErr();
      nock.cleanAll();

      expect(clock.now() - start).toBe(300_000);
      expect(error).toBeInstanceOf(ContainerNotReadyError);
      expect(error).toMatchObject({
        name: 'ContainerNotReadyError',
        containerId: '18',
        statusCode: 'IN_PROGRESS',
        outcome: 'rejected',
        payload: { container_id: '18', status_code: 'IN_PROGRESS', status: 'In Progress: hold on' },
      });
      expect(error.message).toContain('In Progress: hold on');
    });

    test('looks once when waitTimeoutMs is 0', async () => {
      create();
      looks({ status_code: 'IN_PROGRESS' });

      const error = (await publish(picsContext(), { token, videoUrl, waitTimeoutMs: 0 }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ContainerNotReadyError', containerId: '18' });
    });

    test.each([
      ['ERROR', 'Error: 2207026 bad codec', 2_207_026],
      ['EXPIRED', 'Expired: too late', undefined],
    ])('ends at once at %s, with the reason', async (status_code, status, subcode) => {
      const clock = virtualClock();
      create();
      looks({ status_code, status });

      const error = (await publish(picsContext({ clock }), { token, videoUrl }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ContainerNotReadyError',
        containerId: '18',
        statusCode: status_code,
        subcode,
        payload: { container_id: '18', status_code, status },
      });
      expect(error.message).toContain(status);
      expect(clock.slept).toEqual([]);
    });

    test('reads the state from the words where the code is empty', async () => {
      create();
      looks({ status_code: '', status: 'Finished: ready to be published.' });
      release(200, { id: '19' });

      expect((await publish(picsContext(), { token, videoUrl }))._unsafeUnwrap()).toEqual(published);
    });

    test('goes on after any number of failed lookups, each of them one request', async () => {
      const clock = virtualClock();
      create();
      looks(refusal(100, 33), 4, 400);
      looks(refusal(2, 0), 4, 500);
      looks({ status_code: 'FINISHED' });
      release(200, { id: '19' });

      const post = await publish(picsContext({ clock }), { token, videoUrl });

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(clock.slept.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    });

    test('ends with the last failure when no lookup ever succeeded, and names the container', async () => {
      const clock = virtualClock();
      create();
      looks(refusal(2, 0), 3, 500);
      looks(refusal(100, 33), 1, 400);

      const error = (
        await publish(picsContext({ clock }), { token, videoUrl, waitTimeoutMs: 4000 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        category: 'not_found',
        outcome: 'rejected',
        payload: { container_id: '18' },
      });
      expect(clock.now() - start).toBe(4000);
    });

    test('ends at once when the token is dead', async () => {
      const clock = virtualClock();
      create();
      looks({ status_code: 'IN_PROGRESS' });
      looks(refusal(190, 463), 1, 400);

      const error = (await publish(picsContext({ clock }), { token, videoUrl }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', category: 'auth', payload: { container_id: '18' } });
      expect(clock.slept).toEqual([1000]);
    });

    test('ends at once when the platform asks for more time than is left', async () => {
      const clock = virtualClock();
      create();
      nock(picsGraphBase).get('/18').query(true).reply(400, refusal(4, 0), { 'retry-after': '50' });

      const error = (
        await publish(picsContext({ clock }), { token, videoUrl, waitTimeoutMs: 49_000 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'RateLimitError',
        retryAfterMs: 50_000,
        payload: { container_id: '18' },
      });
      expect(clock.slept).toEqual([]);
    });

    test('asks again after a day, however long the platform asks to wait', async () => {
      const clock = virtualClock();
      let requests = 0;
      const fetch: typeof globalThis.fetch = async (input) => {
        if (++requests === 2) {
          return Response.json(refusal(4, 0), { status: 400, headers: { 'retry-after': `${30 * 86_400}` } });
        }
        return Response.json(
          (input as Request).method === 'GET' ? { status_code: 'FINISHED' } : { id: '18' },
        );
      };
      const post = await publish(picsContext({ clock, fetch }), { token, videoUrl, waitTimeoutMs: Infinity });

      expect(post._unsafeUnwrap().container_id).toBe('18');
      expect(clock.now() - start).toBe(86_400_000);
      expect(requests).toBe(4);
    });

    test('sends one status request when waitTimeoutMs is 0, whatever comes of it', async () => {
      create();
      looks(refusal(2, 0), 1, 500);

      const error = (await publish(picsContext(), { token, videoUrl, waitTimeoutMs: 0 }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 500, payload: { container_id: '18' } });
    });

    test('gives a lookup that hangs no more than 5 seconds beyond the wait', async () => {
      const clock = virtualClock();
      const lookup = Promise.withResolvers<AbortSignal | null | undefined>();
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if ((input as Request).method === 'POST') return Response.json({ id: '18' });
        lookup.resolve(init?.signal);
        return new Promise<Response>(() => undefined);
      };
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const pending = publish(picsContext({ clock, fetch }), { token, videoUrl, waitTimeoutMs: 1000 });
        const signal = await lookup.promise;
        await vi.advanceTimersByTimeAsync(4999);
        expect(signal?.aborted).toBe(false);
        clock.advance(5000);
        await vi.advanceTimersByTimeAsync(1);

        expect((await pending)._unsafeUnwrapErr()).toMatchObject({
          name: 'TransportError',
          reason: 'timeout',
          outcome: 'rejected',
          payload: { container_id: '18' },
        });
      } finally {
        vi.useRealTimers();
      }
    });

    test('tells each look to onStatus, whatever that does', async () => {
      const clock = virtualClock();
      create();
      looks({ status_code: 'IN_PROGRESS', status: 'In Progress' });
      looks({ status_code: 'IN_PROGRESS', status: 'In Progress' });
      looks({ status_code: 'FINISHED' });
      release(200, { id: '19' });
      const events: unknown[] = [];

      const post = await publish(picsContext({ clock }), {
        token,
        videoUrl,
        onStatus: (event) => {
          events.push(event);
          if (events.length === 1) throw new Error('mine');
          return Promise.reject(new Error('mine too'));
        },
      });

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(events).toEqual([
        { containerId: '18', status_code: 'IN_PROGRESS', status: 'In Progress', elapsedMs: 0 },
        { containerId: '18', status_code: 'IN_PROGRESS', status: 'In Progress', elapsedMs: 1000 },
        { containerId: '18', status_code: 'FINISHED', status: undefined, elapsedMs: 2500 },
      ]);
    });

    test('shows no token that the platform echoes in its reason', async () => {
      create();
      looks({ status_code: 'ERROR', status: `cannot fetch with ${token}` });
      const events: unknown[] = [];

      const error = (
        await publish(picsContext(), { token, videoUrl, onStatus: (event) => events.push(event) })
      )._unsafeUnwrapErr();

      expect(inspect([error, events], { depth: 9, showHidden: true })).not.toContain(token);
    });

    test('ends at once when the call is aborted, and names the container', async () => {
      const controller = new AbortController();
      const clock = { ...virtualClock(), sleep: () => new Promise<void>(() => controller.abort()) };
      create();
      looks({ status_code: 'IN_PROGRESS' });

      const error = (
        await publish(picsContext({ clock }), { token, videoUrl, signal: controller.signal })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'TransportError',
        reason: 'aborted',
        outcome: 'rejected',
        payload: { container_id: '18' },
      });
    });

    test('ends at once when the context is closed', async () => {
      const clock = { ...virtualClock(), sleep: () => new Promise<void>(() => void close(context)) };
      const context = picsContext({ clock });
      create();
      looks({ status_code: 'IN_PROGRESS' });

      expect((await publish(context, { token, videoUrl }))._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        reason: 'closed',
        payload: { container_id: '18' },
      });
    });

    test('begins no wait that would go beyond the deadline of the call', async () => {
      const clock = virtualClock();
      create();
      looks({ status_code: 'IN_PROGRESS' }, 3);

      const error = (
        await publish(picsContext({ clock, deadlineMs: 3000 }), { token, videoUrl })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ContainerNotReadyError', containerId: '18' });
      expect(clock.slept).toEqual([1000, 1500]);
    });
  });

  describe('onCreated', () => {
    test('is called with the container before it is published, and changes nothing', async () => {
      const seen: unknown[] = [];
      create();
      nock(picsGraphBase)
        .post('/me/media_publish')
        .query(true)
        .reply(200, () => {
          seen.push('publish');
          return { id: '19' };
        });

      const post = await publish(picsContext(), {
        token,
        imageUrl,
        onCreated: (ids) => {
          seen.push(ids);
          throw new Error('mine');
        },
      });

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(seen).toEqual([{ container_id: '18' }, 'publish']);
    });
  });

  describe('publishing a container', () => {
    test('goes back to waiting when the publish itself says that an image is not ready', async () => {
      const clock = virtualClock();
      create();
      release(400, notReady);
      looks({ status_code: 'IN_PROGRESS' });
      looks({ status_code: 'FINISHED' });
      release(400, notReady);
      looks({ status_code: 'FINISHED' });
      release(200, { id: '19' });

      const post = await publish(picsContext({ clock }), { token, imageUrl });

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(clock.slept).toEqual([1000, 1500, 2250]);
    });

    test('stays within the wait when the publish itself says again and again that an image is not ready', async () => {
      const clock = virtualClock();
      create();
      nock(picsGraphBase).get('/18').query(true).times(9).reply(200, { status_code: 'FINISHED' });
      nock(picsGraphBase).post('/me/media_publish').query(true).times(9).reply(400, notReady);

      const error = (
        await publish(picsContext({ clock }), { token, imageUrl, waitTimeoutMs: 5000 })
      )._unsafeUnwrapErr();
      nock.cleanAll();

      expect(error).toMatchObject({ name: 'ContainerNotReadyError', statusCode: 'FINISHED' });
      expect(clock.slept).toEqual([1000, 1500, 2250, 250]);
    });

    test('does not go on for ever when the container is said to be ready and is not', async () => {
      create();
      release(400, notReady);
      looks({ status_code: 'FINISHED' });
      release(400, notReady);

      const error = (await publish(picsContext(), { token, imageUrl, waitTimeoutMs: 0 }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ContainerNotReadyError', statusCode: 'FINISHED' });
    });

    test('publishes a container that the platform lost track of again after 30 seconds', async () => {
      const clock = virtualClock();
      create();
      release(400, refusal(24, 2_207_008));
      looks({ status_code: 'FINISHED' });
      release(200, { id: '19' });

      const post = await publish(picsContext({ clock }), { token, imageUrl });

      expect(post._unsafeUnwrap()).toEqual(published);
      expect(clock.slept).toEqual([30_000]);
    });

    test('gives a lost container up after two more attempts', async () => {
      create();
      release(400, refusal(24, 2_207_008));
      release(400, refusal(24, 2_207_008));
      release(400, refusal(24, 2_207_008));
      looks({ status_code: 'FINISHED' }, 2);

      const context = picsContext({ clock: virtualClock() });
      const error = (await publish(context, { token, imageUrl }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        subcode: 2_207_008,
        outcome: 'rejected',
        payload: { container_id: '18' },
      });
    });

    test('gives a lost container up at once where the wait leaves no time', async () => {
      create();
      release(400, refusal(24, 2_207_008));

      const options = { token, imageUrl, waitTimeoutMs: 29_999 };
      const error = (await publish(picsContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ subcode: 2_207_008, payload: { container_id: '18' } });
    });

    test('publishes a lost container again where the wait leaves just the time', async () => {
      const clock = virtualClock();
      create();
      release(400, refusal(24, 2_207_008));
      looks({ status_code: 'FINISHED' });
      release(200, { id: '19' });

      const post = await publish(picsContext({ clock }), { token, imageUrl, waitTimeoutMs: 30_000 });

      expect(post._unsafeUnwrap()).toEqual(published);
    });

    test.each([
      ['107', 9007, 2_207_027],
      ['108', 24, 2_207_008],
    ])('is not tried again where a server error may have been too late: %s', async (picsUserId, ...codes) => {
      create(picsUserId);
      release(500, refusal(...codes), picsUserId);
      looks({ status_code: 'IN_PROGRESS' }, 4);

      const context = picsContext({ clock: virtualClock() });

      expect((await publish(context, { token, picsUserId, imageUrl }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        outcome: 'unknown',
        payload: { container_id: '18' },
      });
    });

    test('fails with the quota, and names the container', async () => {
      create();
      release(400, refusal(9, 2_207_042));

      expect((await publish(picsContext(), { token, imageUrl }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        category: 'quota',
        outcome: 'rejected',
        payload: { error: { code: 9 }, container_id: '18' },
      });
    });

    test('publishes again after a rate limit', async () => {
      create();
      release(400, refusal(4, 0));
      release(200, { id: '19' });

      expect((await publish(picsContext(), { token, imageUrl }))._unsafeUnwrap()).toEqual(published);
    });
  });

  describe('a publish whose response is lost', () => {
    const clock = virtualClock();
    const at = new Date(start).toISOString().replace('.000Z', '+0000');
    const context = picsContext({ clock });

    function listed(account: string, data: readonly object[], times = 1): void {
      nock(picsGraphBase)
        .get(`/${account}/media`)
        .query({ ...authenticated, fields: 'id,timestamp,media_type,caption', limit: '25' })
        .times(times)
        .reply(200, { data }, dated(clock));
    }

    test('is looked for by the container, then by kind, caption and time', async () => {
      create('101');
      release(502, 'Bad Gateway', '101');
      looks({ status_code: 'FINISHED' });
      looks({ status_code: 'PUBLISHED' });
      listed('101', [
        { id: '5', media_type: 'VIDEO', caption: 'Open \n today', timestamp: at },
        { id: '6', media_type: 'IMAGE', caption: 'Other', timestamp: at },
        { id: '7', media_type: 'IMAGE', timestamp: at },
        { id: '8', media_type: 'IMAGE', caption: 'Open today', timestamp: '2026-01-01T23:59:59+0000' },
        { id: '19', media_type: 'IMAGE', caption: 'Open today', timestamp: at },
      ]);

      const options = { token, picsUserId: '101', imageUrl, caption: 'Open \n today\n' };

      expect((await publish(context, options))._unsafeUnwrap()).toEqual(published);
    });

    test.each([
      [
        'two fit',
        '102',
        [
          { id: '19', timestamp: at },
          { id: '20', timestamp: at },
        ],
      ],
      ['none is listed', '103', []],
    ])('is said to be applied when %s', async (_, picsUserId, data) => {
      create(picsUserId);
      nock(picsGraphBase).post(`/${picsUserId}/media_publish`).query(true).replyWithError(new Error('lost'));
      looks({ status_code: 'PUBLISHED' });
      for (let look = 0; look < 4; look++) listed(picsUserId, data);

      expect((await publish(context, { token, picsUserId, imageUrl }))._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        outcome: 'applied',
        payload: { container_id: '18' },
      });
    });

    test('is no rival of one with another caption', async () => {
      create('109');
      release(502, 'Bad Gateway', '109');
      looks({ status_code: 'PUBLISHED' });
      for (let look = 0; look < 4; look++) listed('109', []);
      const first = await publish(context, { token, picsUserId: '109', imageUrl, caption: 'One' });
      expect(first._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });

      const later = new Date(clock.now()).toISOString();
      nock(picsGraphBase).get('/20').query(true).reply(200, { status_code: 'PUBLISHED' });
      listed('109', [{ id: '21', media_type: 'IMAGE', caption: 'Two', timestamp: later }]);
      nock(picsGraphBase).post('/109/media').query(true).reply(200, { id: '20' });
      nock(picsGraphBase).post('/109/media_publish', { creation_id: '20' }).query(true).reply(502, '');

      const second = await publish(context, { token, picsUserId: '109', imageUrl, caption: 'Two' });

      expect(second._unsafeUnwrap()).toEqual({ container_id: '20', media_id: '21' });
    });

    test('is no rival of one with the token of another account', async () => {
      const lists = (data: readonly object[], times: number) =>
        nock(picsGraphBase).get('/me/media').query(true).times(times).reply(200, { data }, dated(clock));
      const lose = (owner: string, id: string) => {
        nock(picsGraphBase).post('/me/media').query(true).reply(200, { id });
        nock(picsGraphBase).post('/me/media_publish').query(true).reply(502, '');
        nock(picsGraphBase).get(`/${id}`).query(true).reply(200, { status_code: 'PUBLISHED' });
        return publish(context, { token: owner, imageUrl, caption: 'Mine' });
      };
      lists([], 4);
      expect((await lose('token-of-ann', '30'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });

      const timestamp = new Date(clock.now()).toISOString();
      lists([{ id: '32', media_type: 'IMAGE', caption: 'Mine', timestamp }], 1);

      expect((await lose('token-of-bob', '31'))._unsafeUnwrap()).toEqual({
        container_id: '31',
        media_id: '32',
      });
    });

    test('is said to be applied when the list cannot be read', async () => {
      create('104');
      release(500, 'Oops', '104');
      looks({ status_code: 'PUBLISHED' });
      nock(picsGraphBase).get('/104/media').query(true).times(4).reply(400, refusal(100, 0));

      const options = { token, picsUserId: '104', imageUrl };

      expect((await publish(context, options))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        outcome: 'applied',
        payload: { container_id: '18' },
      });
    });

    test('is said to be unknown when the container was not published', async () => {
      create('105');
      release(200, 'not JSON', '105');
      looks({ status_code: 'FINISHED' }, 3);
      looks(refusal(100, 33), 1, 400);

      const options = { token, picsUserId: '105', imageUrl };

      expect((await publish(context, options))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        outcome: 'unknown',
        payload: { container_id: '18' },
      });
    });

    test('is looked for in one attempt each time', async () => {
      create('107');
      release(200, 'not JSON', '107');
      looks(refusal(2, 0), 4, 500);

      const options = { token, picsUserId: '107', imageUrl };

      expect((await publish(context, options))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    });

    test('is looked for when the platform suspects spam, since the post may be live', async () => {
      create('106');
      release(400, refusal(4, 2_207_051), '106');
      looks({ status_code: 'PUBLISHED' });
      // Without a caption, it may be a person's.
      listed('106', [{ id: '19', media_type: 'IMAGE', timestamp: at }], 4);

      const post = await publish(context, { token, picsUserId: '106', imageUrl });

      expect(post._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied', ids: { container_id: '18' } });
    });
  });

  describe('bad input of publish', () => {
    test.each([
      ['imageUrl', picsContext(), { token }],
      ['imageUrl', picsContext(), { token, imageUrl, videoUrl }],
    ])('is refused before anything is sent: %s', async (option, context, bad) => {
      expect((await publish(context, bad as PublishOptions))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: partOf(option),
      });
    });
  });
});

describe('publishStory', () => {
  const imageUrl = 'https://example.com/a.jpg';

  const videoUrl = 'https://example.com/a.mp4';

  const look = { ...authenticated, fields: 'status_code,status' };

  const published = { container_id: '18', media_id: '19' };

  test.each([
    [
      'an image in login mode',
      picsContext(),
      { token, imageUrl },
      picsGraphBase,
      'me',
      { image_url: imageUrl },
    ],
    [
      'a video in page mode',
      picsPageContext(),
      { token, picsUserId: '17', videoUrl },
      graphBase,
      '17',
      { video_url: videoUrl },
    ],
    [
      'a story with tags',
      picsContext(),
      {
        token,
        imageUrl,
        isAiGenerated: false,
        userTags: [{ username: 'ada' }, { username: 'bob', x: 0, y: 1 }],
      },
      picsGraphBase,
      'me',
      {
        image_url: imageUrl,
        is_ai_generated: 'false',
        user_tags: '[{"username":"ada"},{"username":"bob","x":0,"y":1}]',
      },
    ],
  ])('publishes %s', async (_, context, options, base, account, sent) => {
    nock(base)
      .post(`/${account}/media`, { media_type: 'STORIES', ...sent })
      .query(authenticated)
      .reply(200, { id: '18' });
    nock(base).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(base)
      .post(`/${account}/media_publish`, { creation_id: '18' })
      .query(authenticated)
      .reply(200, { id: '19' });

    expect((await publishStory(context, options))._unsafeUnwrap()).toEqual(published);
  });

  test('fails with ContainerNotReadyError when the container failed', async () => {
    nock(picsGraphBase).post('/me/media').query(true).reply(200, { id: '18' });
    nock(picsGraphBase)
      .get('/18')
      .query(look)
      .reply(200, { status_code: 'ERROR', status: 'Error: too long' });

    const error = (await publishStory(picsContext(), { token, videoUrl }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ContainerNotReadyError', containerId: '18', statusCode: 'ERROR' });
    expect(error.message).toContain('Error: too long');
  });

  test('takes no story for that of a lost response in page mode, even if it is alone: it may be a person’s', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/301/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/301/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    nock(graphBase)
      .get('/301/stories')
      .query({ ...authenticated, fields: 'id,timestamp,media_type', limit: '25' })
      .times(4)
      .reply(
        200,
        {
          data: [{ id: '19', media_type: 'IMAGE', timestamp: new Date(clock.now()).toISOString() }],
        },
        dated(clock),
      );

    const story = await publishStory(picsPageContext({ clock }), { token, picsUserId: '301', imageUrl });

    expect(story._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied', ids: { container_id: '18' } });
  });

  test('takes no story that another one joins before the last lookup', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/303/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/303/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    // A person's own shows at once, that of the call later.
    const timestamp = new Date(clock.now()).toISOString();
    const story = (id: string): object => ({ id, media_type: 'IMAGE', timestamp });
    for (const data of [[story('20')], [story('20')], [story('20')], [story('19'), story('20')]]) {
      nock(graphBase).get('/303/stories').query(true).reply(200, { data }, dated(clock));
    }

    const lost = await publishStory(picsPageContext({ clock }), { token, picsUserId: '303', imageUrl });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied', ids: { container_id: '18' } });
  });

  test('takes no story where the last lookup fails', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/304/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/304/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    const timestamp = new Date(clock.now()).toISOString();
    const data = [{ id: '19', media_type: 'IMAGE', timestamp }];
    nock(graphBase).get('/304/stories').query(true).times(3).reply(200, { data }, dated(clock));
    nock(graphBase).get('/304/stories').query(true).reply(503, '');

    const lost = await publishStory(picsPageContext({ clock }), { token, picsUserId: '304', imageUrl });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });

  test('says that a story was published after a lost response in login mode, which lists none', async () => {
    nock(picsGraphBase).post('/302/media').query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(picsGraphBase).post('/302/media_publish').query(true).reply(502, '');
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });

    const context = picsContext({ clock: virtualClock() });
    const error = (await publishStory(context, { token, picsUserId: '302', imageUrl }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'applied', payload: { container_id: '18' } });
  });

  test.each([
    ['imageUrl', picsContext(), { token }],
    ['imageUrl', picsContext(), { token, imageUrl, videoUrl }],
    ['userTags', picsContext(), { token, imageUrl, userTags: [{ username: '' }] }],
    ['userTags', picsContext(), { token, videoUrl, userTags: [{ username: 'ada', y: -1 }] }],
    // A story would go out without them.
    ['caption', picsContext(), { token, imageUrl, caption: 'Hi' }],
    ['altText', picsContext(), { token, imageUrl, altText: 'A cup' }],
    ['coverUrl', picsContext(), { token, videoUrl, coverUrl: imageUrl }],
    ['collaborators', picsContext(), { token, videoUrl, collaborators: ['ada'] }],
  ])('refuses a bad %s before anything is sent', async (option, context, bad) => {
    expect((await publishStory(context, bad as PublishStoryOptions))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
    });
  });
});

describe('publishContainer', () => {
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

    test.each(['IN_PROGRESS', 'ERROR', 'EXPIRED'])(
      'fails with ContainerNotReadyError at %s',
      async (code) => {
        state(code);

        const options = { token, containerId: '18', waitTimeoutMs: 0 };

        expect((await publishContainer(context(), options))._unsafeUnwrapErr()).toMatchObject({
          name: 'ContainerNotReadyError',
          containerId: '18',
          statusCode: code,
          payload: { container_id: '18' },
        });
      },
    );
  });

  const applied = {
    name: 'ApiError',
    message: 'the container is already published, but the id of its media is unknown',
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
});

describe('containerStatus', () => {
  const options = { containerId: '18', token };

  const query = { ...authenticated, fields: 'status_code,status' };

  test.each([
    ['login', picsContext(), picsGraphBase],
    ['page', picsPageContext(), graphBase],
  ])('reads the state in %s mode', async (_, context, base) => {
    nock(base)
      .get('/18')
      .query(query)
      .reply(200, { id: '18', status_code: 'IN_PROGRESS', status: 'In Progress: Media is being processed.' });

    expect((await containerStatus(context, options))._unsafeUnwrap()).toEqual({
      id: '18',
      status_code: 'IN_PROGRESS',
      status: 'In Progress: Media is being processed.',
    });
  });

  test.each([
    ['a list', []],
    ['an empty object', {}],
    ['another response', { success: false }],
  ])('takes %s for no state, and says where', async (_, body) => {
    nock(picsGraphBase).get('/18').query(query).reply(200, body);

    expect((await containerStatus(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
      message: expect.stringContaining('unexpected response at body: expected an object with status_code'),
    });
  });

  test.each([
    [{ status_code: '', status: 'Finished: Media is ready.' }, 'FINISHED', 'Finished: Media is ready.'],
    [{ status: 'In Progress: wait' }, 'IN_PROGRESS', 'In Progress: wait'],
    [{ status: 'in_progress' }, 'IN_PROGRESS', 'in_progress'],
    [{ status_code: null, status: 'Error: bad codec' }, 'ERROR', 'Error: bad codec'],
    [{ status_code: 'ERROR', status: 2_207_026 }, 'ERROR', '2207026'],
    [{ status: 'Errors are rare' }, undefined, 'Errors are rare'],
    [{ id: '18' }, undefined, undefined],
  ])('reads %j', async (body, status_code, status) => {
    nock(picsGraphBase).get('/18').query(query).reply(200, body);

    expect((await containerStatus(picsContext(), options))._unsafeUnwrap()).toEqual({
      id: '18',
      status_code,
      status,
    });
  });

  test('fails with what the platform said', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query(query)
      .reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    expect((await containerStatus(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      category: 'not_found',
    });
  });
});

describe('publishingLimit', () => {
  const query = { ...authenticated, fields: 'quota_usage,config' };

  test.each([
    ['login', picsContext(), { token }, `${picsGraphBase}/me`],
    ['page', picsPageContext(), { token, picsUserId: '17' }, `${graphBase}/17`],
  ])('reads the quota in %s mode', async (_, context, options, base) => {
    nock(base)
      .get('/content_publishing_limit')
      .query(query)
      .reply(200, { data: [{ quota_usage: 2, config: { quota_total: 50, quota_duration: 86_400 } }] });

    expect((await publishingLimit(context, options))._unsafeUnwrap()).toEqual({
      quota_usage: 2,
      quota_total: 50,
      quota_duration: 86_400,
    });
  });

  test('leaves out what the platform does not say', async () => {
    nock(picsGraphBase)
      .get('/me/content_publishing_limit')
      .query(query)
      .reply(200, { data: [{ quota_usage: 2 }] });

    expect((await publishingLimit(picsContext(), { token }))._unsafeUnwrap()).toEqual({
      quota_usage: 2,
      quota_total: undefined,
      quota_duration: undefined,
    });
  });

  test('fails with ApiError when the list is empty', async () => {
    nock(picsGraphBase).get('/me/content_publishing_limit').query(query).reply(200, { data: [] });

    const error = (await publishingLimit(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', payload: { data: [] } });
    expect(error.message).toContain('data.0');
  });
});
