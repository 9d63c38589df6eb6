import { day } from '../auth/tokens.ts';
import type { Tuning } from '../types.ts';
import type { World } from '../world.ts';
import type { VideoNode } from './nodes.ts';

type Phase = Readonly<Record<string, unknown>>;

export interface VideoStatus extends Readonly<Record<string, unknown>> {
  readonly video_status: string;
  readonly uploading_phase: Phase;
  readonly processing_phase: Phase;
  readonly publishing_phase: Phase;
  readonly uploaded: boolean;
  readonly failed: boolean;
}

/** The state of a video by the sandbox clock. */
export function statusOf(world: World, video: VideoNode): VideoStatus {
  const isBad = world.uploads.get(video.id)?.isText === true;
  const tuning: Tuning['videos'] = isBad
    ? { ...world.tuning.videos, failAt: 'processing', text: 'The video format is not supported.' }
    : world.tuning.videos;
  const bytes = world.uploads.get(video.id)?.bytes ?? 0;
  const since = video.uploadedAt === undefined ? -1 : world.now() - video.uploadedAt;
  const settled = since >= tuning.settleMs;
  const uploadFailed = settled && tuning.failAt === 'uploading';
  const uploaded = settled && !uploadFailed;
  const processed = uploaded && since >= tuning.settleMs + tuning.processingMs;
  const processingFailed = processed && tuning.failAt === 'processing';
  const failed = uploadFailed || processingFailed || (uploaded && tuning.lowQuality);
  const ready = processed && !failed;
  const published = ready && isOut(world, video);
  const expired = video.finishedAt === undefined && world.now() - video.createdAt >= day;
  const word = (name: string): string => (name === 'complete' && tuning.variantSpelling ? 'completed' : name);
  const moving = bytes > 0 ? 'in_progress' : 'not_started';
  return {
    video_status: failed ? 'error' : expired ? 'expired' : ready ? 'ready' : 'processing',
    uploading_phase: {
      status: word(uploadFailed ? 'error' : uploaded ? 'complete' : moving),
      ...(tuning.variantSpelling
        ? { bytes_transferred: bytes, source_file_size: video.fileSize }
        : { bytes_transfered: bytes }),
      ...(uploadFailed ? failure(tuning) : {}),
    },
    processing_phase:
      uploaded && tuning.lowQuality
        ? { status: 'not_started', ...failure(tuning) }
        : {
            status: word(
              processingFailed ? 'error' : ready ? 'complete' : uploaded ? 'in_progress' : 'not_started',
            ),
            ...(processingFailed ? failure(tuning) : {}),
          },
    publishing_phase: published
      ? {
          status: word('complete'),
          publish_status: 'published',
          publish_time: Math.floor((video.scheduledAt ?? video.finishedAt ?? 0) / 1000),
        }
      : { status: 'not_started', ...planOf(video) },
    uploaded,
    failed,
  };
}

/** Whether people see a video, which then has a post. */
export function isPublic(world: World, video: VideoNode): boolean {
  const { video_status } = statusOf(world, video);
  return video_status === 'ready' && isOut(world, video);
}

/** Whether the time of a finished video has come. */
function isOut(world: World, { finishedAt, scheduledAt, isDraft = false }: VideoNode): boolean {
  return finishedAt !== undefined && !isDraft && (scheduledAt === undefined || scheduledAt <= world.now());
}

function planOf({ finishedAt, scheduledAt, isDraft = false }: VideoNode): Phase {
  if (finishedAt === undefined) return {};
  if (scheduledAt !== undefined) {
    return { publish_status: 'scheduled', publish_time: Math.floor(scheduledAt / 1000) };
  }
  return isDraft ? { publish_status: 'draft' } : {};
}

function failure(tuning: Tuning['videos']): Phase {
  return tuning.variantSpelling
    ? { errors: [{ code: 1_363_026, message: tuning.text }] }
    : { error: { message: tuning.text } };
}
