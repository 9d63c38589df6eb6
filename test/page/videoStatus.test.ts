import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { videoStatus } from '../../src/page/videoStatus.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { videoId: '9', pageToken: token };

function video(): nock.Interceptor {
  return nock(graphBase)
    .get('/9')
    .query({ ...authenticated, fields: 'status' });
}

describe('videoStatus', () => {
  test('reads the phases of any video, in the documented spelling', async () => {
    const publishing_phase = {
      status: 'not_started',
      publish_status: 'scheduled',
      publish_time: 1_800_000_000,
    };
    video().reply(200, {
      id: '9',
      status: {
        video_status: 'ready',
        uploading_phase: { status: 'completed', bytes_transferred: '50002' },
        processing_phase: { status: 'complete' },
        publishing_phase,
      },
    });

    expect((await videoStatus(pageContext(), options))._unsafeUnwrap()).toEqual({
      video_status: 'ready',
      uploading_phase: { status: 'complete', bytes_transfered: 50_002 },
      processing_phase: { status: 'complete' },
      publishing_phase,
    });
  });

  test('fails with what the platform says of an unknown video', async () => {
    video().reply(400, refusal(100, { error_subcode: 33 }));

    expect((await videoStatus(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      category: 'not_found',
    });
  });
});
