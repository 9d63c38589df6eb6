import type { Node } from '../nodes.ts';
import { accountIn, at, inPageMode, needs, on, type OpenCall, pageCall, type Route } from '../route.ts';
import { list, reads, type Shape } from '../shapes.ts';
import { oneOf } from '../values.ts';
import { everyone, make, type World } from '../world.ts';

const common: Shape<Node<'picsAudio'>>['fields'] = {
  audio_id: ({ id }) => id,
  audio_type: ({ type }) => type,
  title: ({ title }) => title,
  duration_in_ms: ({ durationMs }) => durationMs,
  download_url: ({ id }) => `https://cdn.sandbox.test/audio/${id}.m4a`,
  display_artist: ({ type, by }) => (type === 'music' ? by : undefined),
  ig_username: ({ type, by }) => (type === 'music' ? undefined : by),
  profile_picture_url: (audio) => (audio.type === 'music' ? undefined : pictureOf(audio)),
};

/** An audio that a search found. */
const foundShape: Shape<Node<'picsAudio'>> = {
  type: 'IGAudio',
  fields: { ...common, cover_artwork_thumbnail_uri: coverOf },
};

/** Read by its id, an audio has its cover under another name. */
const audioShape: Shape<Node<'picsAudio'>> = {
  type: 'IGAudio',
  fields: { ...common, cover_artwork_thumbnail_url: coverOf },
};

function pictureOf({ id }: Node<'picsAudio'>): string {
  return `https://cdn.sandbox.test/audio/${id}.jpg`;
}

function coverOf(audio: Node<'picsAudio'>): string | undefined {
  return audio.type === 'music' ? pictureOf(audio) : undefined;
}

function search(open: OpenCall): unknown {
  const call = pageCall(open, needs(['content_publish']));
  accountIn(call);
  const type = oneOf(call.params, 'audio_type', ['music', 'original_sound']);
  const query = (call.params['search_query'] ?? '').toLowerCase();
  const found = [...call.world.nodes.ofKind('picsAudio')].filter(
    (audio) => audio.type === type && `${audio.title} ${audio.by}`.toLowerCase().includes(query),
  );
  // Unlike all others, this list is not called `data`.
  const { data, ...rest } = list(call, foundShape, found);
  return { audio: data, ...rest };
}

export const musicRoutes: readonly Route[] = [
  at('GET', 'graph', '/ig_audio', search, 'audio_type! limit after before search_query user_id!'),
  on('GET', 'picsAudio', '', inPageMode(['content_publish']), reads(audioShape)),
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
    const id = `1800000000000000${2 * index + 1}`;
    make(world, 'picsAudio', [everyone], { id, type, title, by, durationMs });
  }
}
