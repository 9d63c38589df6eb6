import { oneOf } from '../page/values.ts';
import { list } from '../paging.ts';
import { atPath, onNode, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { add, everyone, type World } from '../world.ts';
import { accountIn, needs, pageCall, pageOnly } from './access.ts';
import type { PicsAudioNode } from './nodes.ts';

const scopes = needs(['content_publish']);

const fields = [
  'audio_id',
  'audio_type',
  'cover_artwork_thumbnail_uri',
  'display_artist',
  'download_url',
  'duration_in_ms',
  'ig_username',
  'profile_picture_url',
  'title',
];

const foundShape: Shape<PicsAudioNode> = {
  type: 'IGAudio',
  fields,
  defaults: fields,
  read: ({ id, type, title, by, durationMs }) => {
    const picture = `https://cdn.sandbox.test/audio/${id}.jpg`;
    const common = {
      audio_id: id,
      audio_type: type,
      title,
      duration_in_ms: durationMs,
      download_url: `https://cdn.sandbox.test/audio/${id}.m4a`,
    };
    return type === 'music'
      ? { ...common, display_artist: by, cover_artwork_thumbnail_uri: picture }
      : { ...common, ig_username: by, profile_picture_url: picture };
  },
};

/** Read by its id, an audio has its cover under another name than in a search. */
const audioShape: Shape<PicsAudioNode> = {
  ...foundShape,
  fields: fields.map(byId),
  defaults: fields.map(byId),
  read: (audio, call) =>
    Object.fromEntries(
      Object.entries(foundShape.read(audio, call)).map(([name, value]) => [byId(name), value]),
    ),
};

function byId(name: string): string {
  return name.replace(/_uri$/, '_url');
}

export const audioRoutes: readonly Route[] = [
  atPath({
    method: 'GET',
    hosts: ['graph'],
    path: '/ig_audio',
    params: ['audio_type', 'limit', 'after', 'before', 'search_query', 'user_id'],
    required: ['audio_type', 'user_id'],
    run: (open) => {
      const call = pageCall(open, scopes);
      accountIn(call);
      const type = oneOf(call.params, 'audio_type', ['music', 'original_sound']);
      const query = (call.params['search_query'] ?? '').toLowerCase();
      const found = [...call.world.nodes.ofKind('picsAudio')].filter(
        (audio) => audio.type === type && `${audio.title} ${audio.by}`.toLowerCase().includes(query),
      );
      // Unlike all others, this list is not called `data`.
      const { data, ...rest } = list(call, foundShape, found);
      return { audio: data, ...rest };
    },
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsAudio',
    scopes,
    run: (call, audio) => readNode(call, audioShape, audio),
  }),
];

/** Seeds audio for searches, most popular first. */
export function seedAudio(world: World): void {
  const known = [
    ['music', 'Slow Tide', 'The Harbour Lights', 182_000],
    ['music', 'Morning Roast', 'Mara Lind', 145_500],
    ['music', 'Tide and Time', 'Northside', 201_250],
    ['original_sound', 'Original audio', 'fernfield', 14_800],
    ['original_sound', 'Steam and cups', 'harbour', 9200],
  ] as const;
  for (const [index, [type, title, by, durationMs]] of known.entries()) {
    add<PicsAudioNode>(world, {
      kind: 'picsAudio',
      id: `1800000000000000${2 * index + 1}`,
      owners: [everyone],
      createdAt: world.now(),
      type,
      title,
      by,
      durationMs,
    });
  }
}
