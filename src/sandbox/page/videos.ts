import { insightsWithin } from '../insights.ts';
import { refusedOf, subcodeOf, textOf } from '../mediaRules.ts';
import type { Captions, Collaborator, Node, Thumbnail } from '../nodes.ts';
import { type Call, on, publishing, readingOwn, type Route } from '../route.ts';
import { lists, listsWithin, members, reads, select, type Shape } from '../shapes.ts';
import { day } from '../tokens.ts';
import type { Tuning } from '../types.ts';
import { createChecksum, joined } from '../upload.ts';
import * as v from '../values.ts';
import { deletes, find, isPublished, listedOn, make, recordEffect, succeed, type World } from '../world.ts';
import { commentsOn, likeFields } from './comments.ts';
import { videoInsights } from './insights.ts';
import { placeAt } from './pages.ts';
import { addPost, maxVideoMs, openToAll, readPlace, readSchedule, scheduleOf } from './posts.ts';
import { createStory } from './stories.ts';

type Phase = Readonly<Record<string, unknown>>;

/** How far a video has got by the sandbox clock. */
function progressOf(world: World, video: Node<'video'>, tuning: Tuning['videos']) {
  const since = video.uploadedAt === undefined ? -1 : world.now() - video.uploadedAt;
  const settled = since >= tuning.settleMs;
  const uploadFailed = settled && tuning.failAt === 'uploading';
  const uploaded = settled && !uploadFailed;
  const processed = uploaded && since >= tuning.settleMs + tuning.processingMs;
  const processingFailed = processed && tuning.failAt === 'processing';
  const failed = uploadFailed || processingFailed || (uploaded && tuning.lowQuality);
  const ready = processed && !failed;
  return { uploadFailed, uploaded, processingFailed, failed, ready };
}

/** The state of a video by the sandbox clock. */
function statusOf(world: World, video: Node<'video'>) {
  const { isText = false, refused } = world.uploads.get(video.id) ?? {};
  const text = refused ? textOf(refused) : 'The video format is not supported.';
  const tuning: Tuning['videos'] =
    isText || refused ? { ...world.tuning.videos, failAt: 'processing', text } : world.tuning.videos;
  const code = refused && subcodeOf(refused);
  const bytes = world.uploads.get(video.id)?.bytes ?? 0;
  const { uploadFailed, uploaded, processingFailed, failed, ready } = progressOf(world, video, tuning);
  const published = ready && isPublished(world, video);
  const expired = video.finishedAt === undefined && world.now() - video.createdAt >= day;
  const isLow = uploaded && tuning.lowQuality;
  const complete = tuning.variantSpelling ? 'completed' : 'complete';
  const moving = bytes > 0 ? 'in_progress' : 'not_started';
  const pending = uploaded && !isLow ? 'in_progress' : 'not_started';
  const uploading_phase = {
    status: uploadFailed ? 'error' : uploaded ? complete : moving,
    ...(tuning.variantSpelling
      ? { bytes_transferred: bytes, source_file_size: video.fileSize }
      : { bytes_transfered: bytes }),
    ...(uploadFailed && failure(tuning)),
  };
  const processing_phase = {
    status: processingFailed && !isLow ? 'error' : ready ? complete : pending,
    ...((processingFailed || isLow) && failure(tuning, code)),
  };
  const publish_time = Math.floor((video.scheduledAt ?? video.finishedAt ?? 0) / 1000);
  const publishing_phase = published
    ? { status: complete, publish_status: 'published', publish_time }
    : { status: 'not_started', ...planOf(video) };
  const video_status = failed ? 'error' : expired ? 'expired' : ready ? 'ready' : 'processing';
  return { video_status, uploading_phase, processing_phase, publishing_phase, uploaded, failed };
}

/** Whether people see a video, which then has a post. */
function isPublic(world: World, video: Node<'video'>): boolean {
  const { video_status } = statusOf(world, video);
  return video_status === 'ready' && isPublished(world, video);
}

function planOf({ finishedAt, scheduledAt, isDraft = false }: Node<'video'>): Phase {
  if (finishedAt === undefined) return {};
  if (scheduledAt !== undefined) {
    return { publish_status: 'scheduled', publish_time: Math.floor(scheduledAt / 1000) };
  }
  return isDraft ? { publish_status: 'draft' } : {};
}

function failure(tuning: Tuning['videos'], code = 1_363_026): Phase {
  return tuning.variantSpelling
    ? { errors: [{ code, message: tuning.text }] }
    : { error: { message: tuning.text } };
}

type SessionEdge = 'video_stories' | 'video_reels';

/** A story or a Reel: its session is started, its bytes go to the upload host, then it is finished. */
function publishByPhase(edge: SessionEdge) {
  return (call: Call, page: Node<'page'>): unknown => {
    const phase = call.params['upload_phase']?.toLowerCase();
    if (phase === 'start') return startSession(call, page, edge);
    if (phase !== 'finish') return v.invalid('Param upload_phase must be one of {START, FINISH}');
    return edge === 'video_stories' ? finishStory(call, page) : finishReel(call, page);
  };
}

function addVideo(
  world: World,
  page: Node<'page'>,
  more: Partial<Node<'video'>> & Pick<Node<'video'>, 'edge'>,
): Node<'video'> {
  return make(world, 'video', [page.id], { pageId: page.id, ...more });
}

function startSession(call: Call, page: Node<'page'>, edge: SessionEdge): unknown {
  const { world, params, platform, version } = call;
  if (params['video_id'] !== undefined)
    return v.invalid('The parameter video_id belongs to the finish phase');
  const video = addVideo(world, page, { edge });
  recordEffect(world, 'video_session', video.id, page.id, {});
  return { video_id: video.id, upload_url: `${platform.uploadUrl}/video-upload/${version}/${video.id}` };
}

function uploadedVideo({ world, params }: Call, page: Node<'page'>): Node<'video'> {
  const video = find(world, 'video', params['video_id'] ?? '');
  if (video?.pageId !== page.id) return v.invalid('Invalid video_id');
  if (world.now() - video.createdAt >= day) return v.invalid('The upload session has expired.');
  if (statusOf(world, video).failed) return v.invalid('The video has failed and cannot be published.');
  return video;
}

/** The label of a video as made with AI, where the call says anything about it. */
function labelOf({ params }: Call): Phase {
  const aiGenerated = v.flag(params, 'is_ai_generated');
  return aiGenerated === undefined ? {} : { aiGenerated };
}

/** Makes a story on each call: finishing is not idempotent. */
function finishStory(call: Call, page: Node<'page'>): unknown {
  const { world } = call;
  const video = uploadedVideo(call, page);
  if (!statusOf(world, video).uploaded) return v.invalid('The video is not uploaded completely yet.');
  video.finishedAt ??= world.now();
  const story = createStory(world, page, video.id, 'video');
  recordEffect(world, 'video_story', story.id, page.id, { video_id: video.id, ...labelOf(call) });
  return { success: true, post_id: v.digits(story.id) };
}

/** A finished Reel is not finished again. The response has nothing but `success`. */
function finishReel(call: Call, page: Node<'page'>): unknown {
  const { world, params } = call;
  const video = uploadedVideo(call, page);
  if (!statusOf(world, video).uploaded) return uploadMissing();
  if (video.finishedAt !== undefined) return v.invalid('The Reel is finished already.');
  const state = v.oneOf(params, 'video_state', ['DRAFT', 'PUBLISHED', 'SCHEDULED']);
  const scheduledAt = scheduleOf(call, 29 * day);
  if (state === undefined) return v.invalid('The parameter video_state is required');
  if ((state === 'SCHEDULED') !== (scheduledAt !== undefined)) {
    return v.invalid('scheduled_publish_time goes with the video_state SCHEDULED');
  }
  const { placeId } = readPlace(call);
  const { title, description } = params;
  Object.assign(video, { title, description, placeId, scheduledAt, finishedAt: world.now() });
  video.isDraft = state === 'DRAFT';
  video.postId = `${page.id}_${world.newId()}`;
  const more = v.defined({ title, description, scheduledAt, placeId, ...labelOf(call) });
  return succeed(world, 'reel', video.id, page.id, { state, ...more });
}

function uploadMissing(): never {
  return v.refuse(6000, '(#6000) Video Upload Is Missing', { error_subcode: 1_363_130 });
}

/** A video: at once by its address or its bytes, or in parts that the platform asks for. */
function publishVideo(call: Call, page: Node<'page'>): unknown {
  const phase = call.params['upload_phase']?.toLowerCase();
  if (phase === undefined) return publishAtOnce(call, page);
  if (phase === 'start') return startParts(call, page);
  if (phase !== 'transfer' && phase !== 'finish') {
    return v.invalid('Param upload_phase must be one of {CANCEL, FINISH, START, TRANSFER}');
  }
  const video = sessionOf(call, page);
  return phase === 'transfer' ? take(call, video) : finish(call, page, video);
}

function publishAtOnce(call: Call, page: Node<'page'>): unknown {
  const { world, params, files } = call;
  const { file_url: fileUrl } = params;
  const { hostedBytes, hostedFailure } = world.tuning.videos;
  const { source } = files;
  if ((fileUrl === undefined) === (source === undefined))
    return v.invalid('Specify either file_url or source');
  if (fileUrl !== undefined && !/^https?:/.test(fileUrl))
    return v.invalid('file_url should represent a valid URL');
  if (fileUrl !== undefined && (hostedFailure !== undefined || !v.isFetchable(fileUrl))) {
    const text = hostedFailure ?? 'Unable to fetch video file from URL.';
    return v.refuse(389, `(#389) ${text}`);
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
  if (v.isText(bytes)) unsupported();
}

function unsupported(): never {
  const message = '(#352) The video file you selected is in a format that we do not support.';
  return v.refuse(352, message, { error_subcode: 1_363_024 });
}

/** A video is judged before anything is made of it: in one request, or when its parts are to be finished. */
async function judgeVideo({ world, params, files: { source } }: Call): Promise<void> {
  const id = params['upload_session_id'];
  const isFinish = params['upload_phase']?.toLowerCase() === 'finish';
  const video = [...world.nodes.ofKind('video')].find(({ sessionId }) => isFinish && id && sessionId === id);
  const { parts, bytes = 0 } = (video && world.uploads.get(video.id)) ?? {};
  const file = parts && bytes === video?.fileSize ? joined(parts, bytes) : source;
  if (file !== undefined && (await refusedOf(world, file, 'page.video'))) unsupported();
}

function startParts({ world, params }: Call, page: Node<'page'>): unknown {
  const fileSize = Number(params['file_size']);
  if (params['file_url'] !== undefined) return v.invalid('file_url excludes upload_phase');
  if (!Number.isSafeInteger(fileSize) || fileSize <= 0)
    return v.invalid('The parameter file_size is required');
  const video = addVideo(world, page, { edge: 'videos', fileSize, sessionId: world.newId('9') });
  const parts = world.tuning.media === 'strict' ? { parts: [] } : {};
  world.uploads.set(video.id, { bytes: 0, checksum: createChecksum(), transfers: [], ...parts });
  recordEffect(world, 'video_session', video.id, page.id, {});
  return { video_id: video.id, upload_session_id: video.sessionId, ...rangeOf(world, video) };
}

function sessionOf({ world, params }: Call, page: Node<'page'>): Node<'video'> {
  const id = params['upload_session_id'];
  const video = [...world.nodes.ofKind('video')].find(
    ({ sessionId }) => sessionId !== undefined && sessionId === id,
  );
  if (video?.pageId !== page.id) return v.invalid('Invalid upload_session_id');
  return world.now() - video.createdAt >= day ? v.invalid('The upload session has expired.') : video;
}

/** Accepts the part that the platform asked for. A part that it already has is accepted again, without effect. */
function take({ world, params, files }: Call, video: Node<'video'>): unknown {
  const upload = world.uploads.get(video.id);
  const chunk = files['video_file_chunk'];
  const offset = Number(params['start_offset']);
  if (upload === undefined || chunk === undefined || chunk.length === 0) {
    return v.invalid('The parameter video_file_chunk is required');
  }
  if (offset === 0) checkFormat(chunk);
  const { start_offset, end_offset } = rangeOf(world, video);
  const isKnown = offset < upload.bytes && offset + chunk.length <= upload.bytes;
  if (!isKnown && (offset !== upload.bytes || offset + chunk.length > Number(end_offset))) {
    return v.refuse(
      6001,
      '(#6001) There was a problem uploading your video. Please try uploading it again.',
      { error_subcode: 1_363_037, error_data: { start_offset, end_offset } },
    );
  }
  upload.transfers.push({ offset, bytes: chunk.length });
  if (!isKnown) {
    upload.checksum.add(chunk);
    upload.parts?.push(chunk.slice());
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
function rangeOf(world: World, video: Node<'video'>) {
  const received = world.uploads.get(video.id)?.bytes ?? 0;
  const end = Math.min(video.fileSize ?? 0, received + world.tuning.videos.partBytes);
  return { start_offset: String(received), end_offset: String(end) };
}

function finish(call: Call, page: Node<'page'>, video: Node<'video'>): unknown {
  if (video.uploadedAt === undefined) return uploadMissing();
  if (video.finishedAt !== undefined) return v.invalid('The upload session is finished.');
  publish(call, page, video);
  return { success: true };
}

/** The video and its post exist at once; people see them when the platform has processed it. */
function publish(call: Call, page: Node<'page'>, video: Node<'video'>): void {
  const { world, params, files } = call;
  const { published, scheduledAt } = readSchedule(call, maxVideoMs);
  const { title, description } = params;
  const { placeId } = readPlace(call);
  Object.assign(video, { title, description, placeId, scheduledAt, finishedAt: world.now() });
  video.isDraft = !published && scheduledAt === undefined;
  const post = { byApp: true, published, scheduledAt, placeId, message: description, media: [video.id] };
  video.postId = addPost(world, page, post).id;
  const thumb = files['thumb']?.length;
  const more = v.defined({ title, description, scheduledAt, thumb, placeId, ...labelOf(call) });
  recordEffect(world, 'video', video.id, page.id, { published, ...more });
}

const statusShape: Shape<ReturnType<typeof statusOf>> = {
  type: 'VideoStatus',
  blank: 'copyright_check_status',
  defaults: ['video_status', 'uploading_phase', 'processing_phase', 'publishing_phase'],
  fields: {
    ...members('video_status', 'uploading_phase', 'processing_phase', 'publishing_phase'),
    processing_progress: ({ video_status }) => (video_status === 'ready' ? 100 : 0),
  },
};

const formats = [
  ['130x130', 130, 130],
  ['480x480', 480, 480],
  ['native', 1080, 1920],
] as const;

function pictureOf(videoId: string): string {
  return `https://cdn.sandbox.test/${videoId}/picture.jpg`;
}

function embedding(videoId: string): string {
  return `<iframe src="https://page.sandbox.test/plugins/video?id=${videoId}"></iframe>`;
}

const videoShape: Shape<Node<'video'>> = {
  type: 'Video',
  defaults: ['created_time'],
  blank: 'content_tags replace_audio_status selected_audio_spec',
  fields: {
    ...members<Node<'video'>>('id', 'title', 'description'),
    created_time: (video) => v.isoTime(video.createdAt),
    updated_time: (video) => v.isoTime(video.createdAt),
    published: (video, { world }) =>
      video.finishedAt !== undefined && !(video.scheduledAt !== undefined && video.scheduledAt > world.now()),
    scheduled_publish_time: (video) =>
      video.scheduledAt === undefined ? undefined : v.isoTime(video.scheduledAt),
    place: (video, { world }) => placeAt(world, video.placeId),
    content_category: () => 'OTHER',
    embeddable: () => true,
    embed_html: ({ id }) => embedding(id),
    format: ({ id }) =>
      formats.map(([filter, width, height]) => ({
        embed_html: embedding(id),
        filter,
        height,
        picture: pictureOf(id),
        width,
      })),
    from: ({ pageId }, { world }) => ({ name: find(world, 'page', pageId)?.name, id: pageId }),
    icon: () => 'https://cdn.sandbox.test/icons/video.gif',
    length: () => 12.5,
    picture: ({ id }) => pictureOf(id),
    privacy: (video, { world }) => (isPublic(world, video) ? openToAll : undefined),
    source: ({ id }) => `https://cdn.sandbox.test/${id}/source.mp4`,
    views: (video, { world }) => (isPublic(world, video) ? 120 : 0),
    post_id: (video, { world }) => (isPublic(world, video) ? video.postId : undefined),
    permalink_url: (video, { world }) =>
      isPublic(world, video) ? `https://page.sandbox.test/videos/${video.id}` : undefined,
  },
  expand: {
    ...likeFields,
    comments: (call, video, selection) => commentsOn(video)(call, video, selection),
    thumbnails: (call, video, selection) => listsWithin(thumbnailShape, thumbnailsOf)(call, video, selection),
    video_insights: insightsWithin(videoInsights, {
      scopes: () => ['read_insights'],
      tasks: ['ANALYZE'],
      hasUsual: true,
    }),
    status: (call, video, { fields }) => select(call, statusShape, statusOf(call.world, video), fields),
  },
};

/** The finished videos of an edge. */
function videosOf({ world }: Call, page: Node<'page'>, edge: Node<'video'>['edge']): Node<'video'>[] {
  return listedOn(world, 'video', page, (video) => video.edge === edge && video.finishedAt !== undefined);
}

function videos(call: Call, page: Node<'page'>): Node<'video'>[] {
  const isTagged = v.oneOf(call.params, 'type', ['TAGGED', 'UPLOADED']) === 'TAGGED';
  return isTagged ? [] : videosOf(call, page, 'videos');
}

/** No list shows a Reel before it is published. */
function reels(call: Call, page: Node<'page'>): Node<'video'>[] {
  const inTime = v.timeWindow(call);
  return videosOf(call, page, 'video_reels').filter(
    (reel) => isPublished(call.world, reel) && inTime(reel.createdAt),
  );
}

const remove = deletes('pageId', (_, { postId }: Node<'video'>) => [postId]);

const captionsShape: Shape<Captions> = {
  type: 'VideoCaption',
  fields: {
    create_time: ({ createdAt }) => v.isoTime(createdAt),
    is_auto_generated: () => false,
    is_default: ({ isDefault }) => isDefault,
    locale: ({ locale }) => locale,
    locale_name: ({ locale }) =>
      new Intl.DisplayNames('en', { type: 'language' }).of(locale.replace('_', '-')),
  },
};

const collaboratorShape: Shape<Collaborator> = {
  type: 'VideoCollaborator',
  defaults: ['invite_status'],
  fields: { id: ({ id }) => id, invite_status: ({ status }) => status },
};

const thumbnailShape: Shape<Thumbnail & { readonly preferred: boolean }> = {
  type: 'VideoThumbnail',
  defaults: ['height', 'is_preferred', 'name', 'scale', 'uri', 'width'],
  fields: {
    id: ({ id }) => id,
    height: () => 960,
    width: () => 540,
    scale: () => 1,
    name: () => '',
    uri: ({ id }) => `https://cdn.sandbox.test/${id}.jpg`,
    is_preferred: ({ preferred }) => preferred,
  },
};

/** Adds captions, whose locale is in the name of their file, and removes others. */
function caption({ world, params, files, fileNames }: Call, video: Node<'video'>): unknown {
  const file = files['captions_file'];
  const gone = v.names(params['locales_to_delete']);
  const preferred = params['default_locale'];
  if (file === undefined && gone.length === 0 && preferred === undefined) {
    return v.invalid('The parameter captions_file is required');
  }
  const locale = file === undefined ? undefined : localeOf(file, fileNames['captions_file'] ?? '');
  const captions = (video.captions ??= new Map<string, Captions>());
  const known = new Set([...captions.keys(), ...(locale === undefined ? [] : [locale])]);
  const isNone = preferred === undefined || preferred === 'none';
  if (!isNone && (!known.has(preferred) || gone.includes(preferred))) {
    return v.invalid('Param default_locale must be the locale of captions of this video');
  }
  for (const one of gone) captions.delete(one);
  if (locale !== undefined) {
    const createdAt = world.now();
    captions.set(locale, { id: locale, locale, createdAt, isDefault: false });
  }
  if (preferred !== undefined) for (const one of captions.values()) one.isDefault = one.locale === preferred;
  const content = { locale, default_locale: preferred, deleted: gone.length === 0 ? undefined : gone };
  return succeed(world, 'captions', video.id, video.pageId, v.defined(content));
}

function localeOf(file: Uint8Array, name: string): string {
  const locale = /\.([a-z]{2,3}_[A-Z]{2})\.srt$/.exec(name)?.[1];
  if (locale === undefined)
    return v.invalid('The name of the captions file must be of the form name.en_US.srt');
  if (!/\d\d:\d\d:\d\d,\d{3} --> /.test(new TextDecoder().decode(file))) {
    return v.invalid('The captions file must be in the SubRip format');
  }
  return locale;
}

/** Invites a Page or a person to a Reel that is published; ten a day. */
function invite({ world, params }: Call, video: Node<'video'>): unknown {
  const { target_id: id = '' } = params;
  if (video.edge !== 'video_reels' || video.finishedAt === undefined) {
    return v.invalid('Collaborators can only be invited to a Reel that is published');
  }
  if (!/^\d+$/.test(id) || id === video.pageId) return v.invalid('Invalid target_id');
  const collaborators = (video.collaborators ??= new Map<string, Collaborator>());
  if (collaborators.has(id)) return v.invalid('The collaborator was already invited');
  const recent = [...world.nodes.ofKind('video')]
    .filter(({ pageId }) => pageId === video.pageId)
    .flatMap((reel) => [...(reel.collaborators?.values() ?? [])])
    .filter(({ createdAt }) => createdAt > world.now() - day);
  if (recent.length >= 10) return v.tooFast();
  collaborators.set(id, { id, status: 'Pending', createdAt: world.now() });
  recordEffect(world, 'collaborator', id, video.id, {});
  const invitation_link = `https://page.sandbox.test/reel/${video.id}/invitation/${id}`;
  return { success: true, collaborator_id: id, invitation_link };
}

/** Adds a thumbnail. The newest preferred one comes first. */
function addThumbnail({ world, params, files }: Call, video: Node<'video'>): unknown {
  const { source } = files;
  const preferred = v.flag(params, 'is_preferred') ?? false;
  if (source === undefined || source.length === 0) return v.invalid('The parameter source is required');
  if (v.isText(source)) return v.refuse(324, '(#324) Missing or invalid image file');
  const made: Thumbnail = { id: world.newId(), createdAt: world.now(), bytes: source.length };
  const known = video.thumbnails ?? [];
  video.thumbnails = preferred ? [made, ...known] : [...known, made];
  return succeed(world, 'thumbnail', made.id, video.id, { bytes: source.length, preferred });
}

const captions = lists(captionsShape, (_, video: Node<'video'>) => [...(video.captions?.values() ?? [])]);
const collaborators = lists(collaboratorShape, (_, video: Node<'video'>) => [
  ...(video.collaborators?.values() ?? []),
]);
function thumbnailsOf(_: Call, video: Node<'video'>) {
  return (video.thumbnails ?? []).map((one, index) => ({ ...one, preferred: index === 0 }));
}

const thumbnails = lists(thumbnailShape, thumbnailsOf);
/** In the list of Reels, the id of a post lacks the Page. */
const reelShape: Shape<Node<'video'>> = {
  ...videoShape,
  defaults: ['updated_time', 'description'],
  fields: {
    ...videoShape.fields,
    post_id: (video, { world }) => (isPublic(world, video) ? video.postId?.split('_').at(-1) : undefined),
  },
};
const phaseParams = `
  description feed_targeting is_ai_generated place scheduled_publish_time targeting title upload_phase! video_id video_state
`;
const videoParams = `
  description feed_targeting file_size file_url is_ai_generated place published scheduled_publish_time selected_audio_spec source
  start_offset targeting thumb title unpublished_content_type upload_phase upload_session_id video_file_chunk
`;

/** Videos and Reels, and what can be added to them: captions, thumbnails, and collaborators of a Reel. */
export const videoRoutes: readonly Route[] = [
  on('POST', 'page', 'video_stories', publishing, publishByPhase('video_stories'), phaseParams),
  on('POST', 'page', 'video_reels', publishing, publishByPhase('video_reels'), phaseParams),
  { ...on('POST', 'page', 'videos', publishing, publishVideo, videoParams), before: judgeVideo },
  on('GET', 'page', 'videos', readingOwn, lists(videoShape, videos), 'type'),
  on('GET', 'page', 'video_reels', readingOwn, lists(reelShape, reels), 'since until'),
  on('GET', 'video', '', readingOwn, reads(videoShape)),
  on('DELETE', 'video', '', publishing, remove),
  on('GET', 'video', 'captions', readingOwn, captions),
  on('POST', 'video', 'captions', publishing, caption, 'captions_file default_locale locales_to_delete'),
  on('GET', 'video', 'collaborators', readingOwn, collaborators),
  on('POST', 'video', 'collaborators', publishing, invite, 'target_id!'),
  on('GET', 'video', 'thumbnails', readingOwn, thumbnails),
  on('POST', 'video', 'thumbnails', publishing, addThumbnail, 'is_preferred source'),
];
