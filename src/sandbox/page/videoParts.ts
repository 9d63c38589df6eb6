import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { defined } from '../json.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { Shape } from '../select.ts';
import { isText } from '../upload/fetchable.ts';
import { recordEffect } from '../world.ts';
import { publishing, readingOwn } from './access.ts';
import type { Captions, Collaborator, Thumbnail, VideoNode } from './nodes.ts';
import { flag, isoTime, names } from './values.ts';

const reading = { ...readingOwn, on: 'video' } as const;
const writing = { ...publishing, on: 'video' } as const;

const captionsShape: Shape<Captions> = {
  type: 'VideoCaption',
  fields: ['create_time', 'is_auto_generated', 'is_default', 'locale', 'locale_name'],
  defaults: ['create_time', 'is_auto_generated', 'is_default', 'locale', 'locale_name'],
  read: ({ locale, isDefault, createdAt }) => ({
    create_time: isoTime(createdAt),
    is_auto_generated: false,
    is_default: isDefault,
    locale,
    locale_name: new Intl.DisplayNames('en', { type: 'language' }).of(locale.replace('_', '-')),
  }),
};

const collaboratorShape: Shape<Collaborator> = {
  type: 'VideoCollaborator',
  fields: ['id', 'invite_status'],
  defaults: ['invite_status'],
  read: ({ id, status }) => ({ id, invite_status: status }),
};

const thumbnailShape: Shape<Thumbnail & { readonly preferred: boolean }> = {
  type: 'VideoThumbnail',
  fields: ['height', 'id', 'is_preferred', 'name', 'scale', 'uri', 'width'],
  defaults: ['height', 'is_preferred', 'name', 'scale', 'uri', 'width'],
  read: ({ id, preferred }) => ({
    id,
    height: 960,
    width: 540,
    scale: 1,
    name: '',
    uri: `https://cdn.sandbox.test/${id}.jpg`,
    is_preferred: preferred,
  }),
};

/** What can be added to an existing video: captions, thumbnails, and collaborators of a Reel. */
export const videoPartRoutes: readonly Route[] = [
  onNode({
    ...reading,
    method: 'GET',
    edge: 'captions',
    run: (call, { captions }) => list(call, captionsShape, [...(captions?.values() ?? [])]),
  }),
  onNode({
    ...writing,
    method: 'POST',
    edge: 'captions',
    params: ['captions_file', 'default_locale', 'locales_to_delete'],
    run: caption,
  }),
  onNode({
    ...reading,
    method: 'GET',
    edge: 'collaborators',
    run: (call, { collaborators }) => list(call, collaboratorShape, [...(collaborators?.values() ?? [])]),
  }),
  onNode({
    ...writing,
    method: 'POST',
    edge: 'collaborators',
    params: ['target_id'],
    required: ['target_id'],
    run: invite,
  }),
  onNode({
    ...reading,
    method: 'GET',
    edge: 'thumbnails',
    run: (call, { thumbnails = [] }) =>
      list(
        call,
        thumbnailShape,
        thumbnails.map((one, index) => ({ ...one, preferred: index === 0 })),
      ),
  }),
  onNode({
    ...writing,
    method: 'POST',
    edge: 'thumbnails',
    params: ['is_preferred', 'source'],
    run: addThumbnail,
  }),
];

/** Adds captions, whose locale is in the name of their file, and removes others. */
function caption({ world, params, files, fileNames }: Call, video: VideoNode): unknown {
  const file = files['captions_file'];
  const gone = names(params['locales_to_delete']);
  const preferred = params['default_locale'];
  if (file === undefined && gone.length === 0 && preferred === undefined) {
    return invalid('The parameter captions_file is required');
  }
  const locale = file === undefined ? undefined : localeOf(file, fileNames['captions_file'] ?? '');
  const captions = (video.captions ??= new Map<string, Captions>());
  const known = new Set([...captions.keys(), ...(locale === undefined ? [] : [locale])]);
  const isNone = preferred === undefined || preferred === 'none';
  if (!isNone && (!known.has(preferred) || gone.includes(preferred))) {
    return invalid('Param default_locale must be the locale of captions of this video');
  }
  for (const one of gone) captions.delete(one);
  if (locale !== undefined) {
    const createdAt = world.now();
    captions.set(locale, { id: locale, locale, createdAt, isDefault: false });
  }
  if (preferred !== undefined) for (const one of captions.values()) one.isDefault = one.locale === preferred;
  const content = { locale, default_locale: preferred, deleted: gone.length === 0 ? undefined : gone };
  recordEffect(world, 'captions', video.id, video.pageId, defined(content));
  return { success: true };
}

function localeOf(file: Uint8Array, name: string): string {
  const locale = /\.([a-z]{2,3}_[A-Z]{2})\.srt$/.exec(name)?.[1];
  if (locale === undefined)
    return invalid('The name of the captions file must be of the form name.en_US.srt');
  if (!/\d\d:\d\d:\d\d,\d{3} --> /.test(new TextDecoder().decode(file))) {
    return invalid('The captions file must be in the SubRip format');
  }
  return locale;
}

/** Invites a Page or a person to a Reel that is out; ten a day. */
function invite({ world, params }: Call, video: VideoNode): unknown {
  const { target_id: id = '' } = params;
  if (video.edge !== 'video_reels' || video.finishedAt === undefined) {
    return invalid('Collaborators can only be invited to a Reel that is published');
  }
  if (!/^\d+$/.test(id) || id === video.pageId) return invalid('Invalid target_id');
  const collaborators = (video.collaborators ??= new Map<string, Collaborator>());
  if (collaborators.has(id)) return invalid('The collaborator was already invited');
  const recent = [...world.nodes.ofKind('video')]
    .filter(({ pageId }) => pageId === video.pageId)
    .flatMap((reel) => [...(reel.collaborators?.values() ?? [])])
    .filter(({ createdAt }) => createdAt > world.now() - day);
  if (recent.length >= 10) {
    return refuse({ code: 613, message: '(#613) Calls to this api have exceeded the rate limit.' });
  }
  collaborators.set(id, { id, status: 'Pending', createdAt: world.now() });
  recordEffect(world, 'collaborator', id, video.id, {});
  return {
    success: true,
    collaborator_id: id,
    invitation_link: `https://page.sandbox.test/reel/${video.id}/invitation/${id}`,
  };
}

/** Adds a thumbnail. The newest preferred one comes first. */
function addThumbnail({ world, params, files }: Call, video: VideoNode): unknown {
  const { source } = files;
  const preferred = flag(params, 'is_preferred') ?? false;
  if (source === undefined || source.length === 0) return invalid('The parameter source is required');
  if (isText(source)) return refuse({ code: 324, message: '(#324) Missing or invalid image file' });
  const made: Thumbnail = { id: world.newId(), createdAt: world.now(), bytes: source.length };
  const known = video.thumbnails ?? [];
  video.thumbnails = preferred ? [made, ...known] : [...known, made];
  recordEffect(world, 'thumbnail', made.id, video.id, { bytes: source.length, preferred });
  return { success: true };
}
