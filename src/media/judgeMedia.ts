import { cropOf, mediaRules } from './rules.ts';
import {
  type MediaFacts,
  type MediaFinding,
  type MediaKind,
  mediaKinds,
  type MediaProperty,
} from './types.ts';

/** What must be known of a file to judge it. */
const needed: readonly (readonly [kinds: RegExp, property: MediaProperty, fact: keyof MediaFacts])[] = [
  [/(?:image|photo|story|cover|reel|video)$/i, 'resolution', 'width'],
  [/\.(?:reel|storyVideo|carouselVideo|video|videoStory)$/, 'duration', 'durationMs'],
  [/\.(?:reel|storyVideo|carouselVideo|videoStory)$/, 'frame_rate', 'frameRate'],
];

/**
 * What a platform refuses, changes or may refuse of a file, by its facts. Nothing found is no promise: the platform
 * decodes the file, and fetches it from its address.
 *
 * @example
 * const facts = await inspectMedia('./clip.mp4');
 * if (facts.isOk()) console.log(judgeMedia(facts.value, 'pics.reel').map(({ message }) => message));
 */
export function judgeMedia(facts: MediaFacts, kind: MediaKind): readonly MediaFinding[] {
  const found = mediaRules.flatMap((rule): MediaFinding[] => {
    const value = rule.kinds.includes(kind) ? rule.find(facts) : undefined;
    if (value === undefined) return [];
    const { property, severity, source, code } = rule;
    const note = typeof rule.note === 'function' ? rule.note(facts) : rule.note;
    const remedy = typeof rule.remedy === 'function' ? rule.remedy(facts) : rule.remedy;
    return [
      {
        property,
        severity,
        found: value,
        rule: rule.rule,
        message: `${property.replace('_', ' ')}: ${value}, where ${rule.rule} is ${severity === 'refused' ? 'taken' : 'asked for'}${note ? `; ${note}` : ''}`,
        ...(remedy ? { remedy } : {}),
        ...(code ? { code } : {}),
        source,
      },
    ];
  });
  return [...found, ...unknowns(facts, kind, found)];
}

/** What the header should have told, and did not. */
function unknowns(facts: MediaFacts, kind: MediaKind, found: readonly MediaFinding[]): MediaFinding[] {
  const unknown = (property: MediaProperty, message: string): MediaFinding => ({
    property,
    severity: 'unknown',
    found: 'unknown',
    rule: 'known',
    message,
    source: 'the header of the file',
  });
  if (!mediaKinds.includes(kind)) return [unknown('format', `kind must be one of ${mediaKinds.join(', ')}`)];
  if (facts.format === 'unknown')
    return [unknown('format', 'format: unknown; its first bytes are those of no format that is known here')];
  // What is refused anyhow need not be known better.
  if (found.some(({ property, severity }) => property === 'format' && severity === 'refused')) return [];
  const missing = needed.filter(([kinds, , fact]) => kinds.test(kind) && facts[fact] === undefined);
  const why = facts.incomplete ? `; ${facts.incomplete}` : '';
  if (missing.length === 0 && facts.incomplete)
    return [unknown('format', `format: not all of the header was read${why}`)];
  return missing.map(([, property]) =>
    unknown(property, `${property.replace('_', ' ')}: the header does not tell it${why}`),
  );
}

/**
 * What becomes of a carousel as a whole, whose items are cropped to the ratio of the first. `item` is that of the
 * finding, from 0. Each item is also judged alone, as `pics.carouselImage` or `pics.carouselVideo`.
 *
 * @example
 * const items = await Promise.all(['./1.jpg', './2.jpg'].map((path) => inspectMedia(path)));
 * console.log(judgeCarousel(items.flatMap((item) => (item.isOk() ? [item.value] : []))));
 */
export function judgeCarousel(items: readonly MediaFacts[]): readonly MediaFinding[] {
  const found: MediaFinding[] = [];
  const { length } = items;
  if (length < 2 || length > 10) {
    found.push({
      property: 'items',
      severity: 'refused',
      found: `${length}`,
      rule: '2 to 10',
      message: `items: ${length}, where 2 to 10 are taken`,
      remedy: length > 10 ? 'publish two carousels' : 'publish it alone',
      code: '100/2207028',
      source: 'Error Codes, 2026-06-02',
    });
  }
  const [first] = items;
  const ratio = (first?.width ?? 0) / (first?.height ?? 0);
  if (!(ratio > 0)) return found;
  for (const [item, facts] of items.entries()) {
    const { width, height } = facts;
    if (!width || !height) continue;
    // A difference of less than a pixel or two is not seen.
    if (Math.abs(width / height / ratio - 1) < 0.005) continue;
    found.push({
      item,
      property: 'aspect_ratio',
      severity: 'changed',
      found: `${width} × ${height}`,
      rule: `${first?.width} × ${first?.height}, as the first`,
      message: `aspect ratio: item ${item + 1} is cropped to the ratio of the first, ${first?.width} × ${first?.height}; ${cropOf(facts, ratio)}`,
      remedy: 'give all items one ratio, or put the one first whose ratio fits all',
      source: 'Content Publishing guide, 2026-10-04',
    });
  }
  return found;
}
