import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { videoStoryStatus } from '../../src/page/videoStoryStatus.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { videoId: '9', pageToken: token };

function platformSays(status: unknown): void {
  nock(graphBase)
    .get('/9')
    .query({ ...authenticated, fields: 'status' })
    .reply(200, { status, id: '9' });
}

describe('videoStoryStatus', () => {
  test('asks for the status and hands out its phases', async () => {
    const status = {
      video_status: 'processing',
      uploading_phase: { status: 'in_progress', bytes_transfered: 50002 },
      processing_phase: { status: 'not_started' },
      publishing_phase: { status: 'not_started', publish_status: 'published', publish_time: 234523452 },
    };
    platformSays(status);

    const read = await videoStoryStatus(pageContext(), options);

    expect(read._unsafeUnwrap()).toEqual(status);
  });

  test('hands out one spelling, whichever the platform uses', async () => {
    platformSays({
      uploading_phase: { status: 'completed', bytes_transferred: '50002', source_file_size: 60000 },
      processing_phase: { status: 'error', errors: [{ code: 1363130, message: 'Too short' }] },
    });

    const read = await videoStoryStatus(pageContext(), options);

    expect(read._unsafeUnwrap()).toEqual({
      uploading_phase: { status: 'complete', bytes_transfered: 50002, source_file_size: 60000 },
      processing_phase: { status: 'error', errors: [{ code: 1363130, message: 'Too short' }] },
      publishing_phase: { status: 'not_started' },
    });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .get('/9')
      .query(true)
      .reply(400, { error: { message: 'No such video', code: 100, error_subcode: 33 } });

    const error = (await videoStoryStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'No such video', category: 'not_found' });
  });

  test('says where a response is odd', async () => {
    platformSays('ready');

    const error = (await videoStoryStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error.name).toBe('ApiError');
    expect(error.message).toContain('status');
  });
});
