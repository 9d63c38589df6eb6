import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { defined } from '../json.ts';
import type { Call } from '../route.ts';
import { isFetchable, isText } from '../upload/fetchable.ts';
import { createChecksum } from '../upload/sha256.ts';
import { recordEffect, type World } from '../world.ts';
import type { PageNode, VideoNode } from './nodes.ts';
import { addPost, readPlace } from './postWrites.ts';
import { mostVideoMs, readSchedule } from './schedule.ts';
import { addVideo } from './videoPhases.ts';

/** A video: at once by its address or its bytes, or in parts that the platform asks for. */
export function publishVideo(call: Call, page: PageNode): unknown {
  const phase = call.params['upload_phase']?.toLowerCase();
  if (phase === undefined) return publishAtOnce(call, page);
  if (phase === 'start') return start(call, page);
  if (phase !== 'transfer' && phase !== 'finish') {
    return invalid('Param upload_phase must be one of {CANCEL, FINISH, START, TRANSFER}');
  }
  const video = sessionOf(call, page);
  return phase === 'transfer' ? take(call, video) : finish(call, page, video);
}

function publishAtOnce(call: Call, page: PageNode): unknown {
  const { world, params, files } = call;
  const { file_url: fileUrl } = params;
  const { hostedBytes, hostedFailure } = world.tuning.videos;
  const { source } = files;
  if ((fileUrl === undefined) === (source === undefined)) return invalid('Specify either file_url or source');
  if (fileUrl !== undefined && !/^https?:/.test(fileUrl))
    return invalid('file_url should represent a valid URL');
  if (fileUrl !== undefined && (hostedFailure !== undefined || !isFetchable(fileUrl))) {
    const text = hostedFailure ?? 'Unable to fetch video file from URL.';
    return refuse({ code: 389, message: `(#389) ${text}` });
  }
  if (source !== undefined) checkFormat(source);
  const fileSize = source?.length ?? hostedBytes;
  const video = addVideo(world, page, { edge: 'videos', fileUrl, fileSize, uploadedAt: world.now() });
  const checksum = createChecksum();
  if (source !== undefined) checksum.add(source);
  world.uploads.set(video.id, { bytes: fileSize, checksum, transfers: [] });
  publish(call, page, video);
  return { id: video.id };
}

function checkFormat(bytes: Uint8Array): void {
  if (!isText(bytes)) return;
  refuse({
    code: 352,
    error_subcode: 1_363_024,
    message: '(#352) The video file you selected is in a format that we do not support.',
  });
}

function start({ world, params }: Call, page: PageNode): unknown {
  const fileSize = Number(params['file_size']);
  if (params['file_url'] !== undefined) return invalid('file_url excludes upload_phase');
  if (!Number.isSafeInteger(fileSize) || fileSize <= 0) return invalid('The parameter file_size is required');
  const video = addVideo(world, page, { edge: 'videos', fileSize, sessionId: world.newId('9') });
  world.uploads.set(video.id, { bytes: 0, checksum: createChecksum(), transfers: [] });
  recordEffect(world, 'video_session', video.id, page.id, {});
  return { video_id: video.id, upload_session_id: video.sessionId, ...rangeOf(world, video) };
}

function sessionOf({ world, params }: Call, page: PageNode): VideoNode {
  const id = params['upload_session_id'];
  const [video] = [...world.nodes.values()].filter(
    (node): node is VideoNode =>
      node.kind === 'video' && node.sessionId !== undefined && node.sessionId === id,
  );
  if (video === undefined || video.pageId !== page.id) return invalid('Invalid upload_session_id');
  return world.now() - video.createdAt >= day ? invalid('The upload session has expired.') : video;
}

/** Accepts the part that the platform asked for. A part that it already has is accepted again, without effect. */
function take({ world, params, files }: Call, video: VideoNode): unknown {
  const upload = world.uploads.get(video.id);
  const chunk = files['video_file_chunk'];
  const offset = Number(params['start_offset']);
  if (upload === undefined || chunk === undefined || chunk.length === 0) {
    return invalid('The parameter video_file_chunk is required');
  }
  if (offset === 0) checkFormat(chunk);
  const { start_offset, end_offset } = rangeOf(world, video);
  const isKnown = offset < upload.bytes && offset + chunk.length <= upload.bytes;
  if (!isKnown && (offset !== upload.bytes || offset + chunk.length > Number(end_offset))) {
    return refuse({
      code: 6001,
      error_subcode: 1_363_037,
      message: '(#6001) There was a problem uploading your video. Please try uploading it again.',
      error_data: { start_offset, end_offset },
    });
  }
  upload.transfers.push({ offset, bytes: chunk.length });
  if (!isKnown) {
    upload.checksum.add(chunk);
    upload.bytes += chunk.length;
    if (upload.bytes === video.fileSize) {
      video.uploadedAt = world.now();
      const content = { bytes: upload.bytes, sha256: upload.checksum.hex() };
      recordEffect(world, 'upload', video.id, video.pageId, content);
    }
  }
  return rangeOf(world, video);
}

/** The range that the platform asks for next, as strings; equal offsets once it has all. */
function rangeOf(
  world: World,
  video: VideoNode,
): { readonly start_offset: string; readonly end_offset: string } {
  const held = world.uploads.get(video.id)?.bytes ?? 0;
  const end = Math.min(video.fileSize ?? 0, held + world.tuning.videos.partBytes);
  return { start_offset: String(held), end_offset: String(end) };
}

function finish(call: Call, page: PageNode, video: VideoNode): unknown {
  if (video.uploadedAt === undefined) {
    return refuse({ code: 6000, error_subcode: 1_363_130, message: '(#6000) Video Upload Is Missing' });
  }
  if (video.finishedAt !== undefined) return invalid('The upload session is finished.');
  publish(call, page, video);
  return { success: true };
}

/** The video and its post exist at once; people see them when the platform has processed it. */
function publish(call: Call, page: PageNode, video: VideoNode): void {
  const { world, params, files } = call;
  const { published, scheduledAt } = readSchedule(call, mostVideoMs);
  const { title, description } = params;
  const { placeId } = readPlace(call);
  Object.assign(video, { title, description, placeId, scheduledAt, finishedAt: world.now() });
  video.isDraft = !published && scheduledAt === undefined;
  const post = { published, scheduledAt, placeId, message: description, link: undefined, media: [video.id] };
  video.postId = addPost(world, page, post).id;
  const thumb = files['thumb']?.length;
  const more = defined({ title, description, scheduledAt, thumb, placeId });
  recordEffect(world, 'video', video.id, page.id, { published, ...more });
}
