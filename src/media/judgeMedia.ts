import { ConfigurationError } from '../core/errors.ts';
import { fromCaller } from '../core/options/given.ts';
import { videos } from './kinds.ts';
import { readMade } from './made.ts';
import {
  cropOf,
  errorCodes,
  findingBy,
  guide,
  imageRules,
  knownOf,
  type Mended,
  type MediaRule,
  mp4,
  mediaRules,
  sizeOf,
  wordsOf,
} from './rules.ts';
import {
  type ImageKind,
  type MediaFacts,
  type MediaFinding,
  type MediaKind,
  type MediaProperty,
  type MediaSeverity,
  type MediaSize,
} from './types.ts';

/** What must be known of a file to judge it by rules about a property. */
const needs = [
  ['resolution', 'width'],
  ['duration', 'durationMs'],
  ['frame_rate', 'frameRate'],
] as const;

/**
 * What a platform refuses, changes or may refuse of a file, by its facts. Nothing found is no promise: the platform
 * decodes the file, and fetches it from its address.
 *
 * Throws a ConfigurationError for what is no facts, such as a Result, and for a kind that there is not.
 *
 * @example
 * const facts = await inspectMedia('./clip.mp4');
 * if (facts.isOk()) console.log(judgeMedia(facts.value, 'pics.reel').map(({ message }) => message));
 */
export function judgeMedia(facts: MediaFacts, kind: MediaKind): readonly MediaFinding[] {
  return judgeAny(readFacts('facts', facts), kind);
}

function readFacts(name: string, facts: MediaFacts): MediaFacts {
  return readMade(name, facts, 'format', 'inspectMedia');
}

function judgeAny(facts: MediaFacts, kind: MediaKind): readonly MediaFinding[] {
  // Of an MP4, all is known.
  const isElsewhere = videos.includes(kind) && !/^(?:mp4|mov|3gp)$/.test(facts.format);
  return judge(facts, kind, mediaRules, isElsewhere ? mp4 : '');
}

/**
 * Like {@link judgeMedia}, for pages that take pictures only: in a bundle, it has no rules for videos, whose kinds it
 * refuses.
 *
 * @example
 * const facts = await inspectImage('./photo.jpg');
 * if (facts.isOk()) console.log(judgeImage(facts.value, 'pics.image').map(({ message }) => message));
 */
export function judgeImage(facts: MediaFacts, kind: ImageKind): readonly MediaFinding[] {
  return judge(readFacts('facts', facts), kind, imageRules, '');
}

function judge(
  facts: MediaFacts,
  kind: MediaKind,
  rules: readonly MediaRule[],
  toKnow: Mended,
): readonly MediaFinding[] {
  const own = rules.filter(([, kinds]) => kinds.includes(kind));
  if (own.length === 0) {
    const kinds = new Set(rules.flatMap(([, some]) => some));
    throw new ConfigurationError(`kind must be one of ${[...kinds].join(', ')}`, 'kind');
  }
  const found: MediaFinding[] = [];
  const known = knownOf(facts);
  for (const [severity, , [property, find, ...says], ...from] of own) {
    const value = !isRefused(found, property, severity) && find(known);
    if (typeof value === 'string') found.push(findingBy(severity, property, value, says, from, known));
  }
  // What is refused anyhow need not be known better.
  if (isRefused(found, 'format')) return found;
  const { format, incomplete } = facts;
  const why = incomplete ? `; ${incomplete}` : '';
  const unknown = (property: MediaProperty, says: string, mended: Mended = ''): MediaFinding => ({
    ...findingBy('unknown', property, 'unknown', ['known', mended], ['the header of the file']),
    message: `${wordsOf(property)}: ${says}`,
  });
  if (format === 'unknown') return [...found, unknown('format', 'its first bytes are of no known format')];
  const missing = needs.filter(
    ([property, fact]) =>
      facts[fact] === undefined &&
      own.some(([, , [about]]) => about.replace('aspect_ratio', 'resolution') === property),
  );
  return [
    ...found,
    ...missing.map(([property]) => unknown(property, `the header does not tell it${why}`, toKnow)),
    ...(incomplete && missing.length === 0
      ? [unknown('format', `not all of the header was read${why}`)]
      : []),
  ];
}

/**
 * Whether a rule does not matter, for what is found already: a file of another format is made anew, what is refused is
 * not also at risk, and what has to be cropped is not scaled as it is.
 */
function isRefused(
  found: readonly MediaFinding[],
  property: MediaProperty,
  severity?: MediaSeverity,
): boolean {
  return found.some(
    (one) =>
      one.severity === 'refused' &&
      (one.property === 'format' ||
        one.property === property ||
        (one.property === 'aspect_ratio' && property === 'resolution' && severity === 'changed')),
  );
}

/**
 * What becomes of a carousel as a whole, whose items are cropped to the ratio of the first. `item` is that of the
 * finding, from 0. Each item is also judged alone, as `pics.carouselImage` or `pics.carouselVideo`.
 *
 * Throws a ConfigurationError for what is no list of facts.
 *
 * @example
 * const items = await Promise.all(['./1.jpg', './2.jpg'].map((path) => inspectMedia(path)));
 * console.log(judgeCarousel(items.flatMap((item) => (item.isOk() ? [item.value] : []))));
 */
export function judgeCarousel(items: readonly MediaFacts[]): readonly MediaFinding[] {
  return judgeItems(
    fromCaller('items', () => {
      if (!Array.isArray(items)) throw new ConfigurationError('items must be a list', 'items');
      return Array.from(items, (facts, at) => readFacts(`items[${at}]`, facts));
    }),
  );
}

function judgeItems(items: readonly MediaFacts[]): readonly MediaFinding[] {
  const found: MediaFinding[] = [];
  const { length } = items;
  if (length < 2 || length > 10) {
    const remedy = length > 10 ? 'publish two carousels' : 'publish it alone';
    const from = [errorCodes, '100/2207028', 'the app takes 20'] as const;
    const rule = ['2 to 10', remedy, { least: 2, most: 10 }] as const;
    found.push(findingBy('refused', 'items', `${length}`, rule, from));
  }
  const sizes = items.map(shownSize);
  const [first] = sizes;
  if (!first) return found;
  const ratio = first.width / first.height;
  for (const [item, size] of sizes.entries()) {
    // A difference of less than a pixel or two is not seen.
    if (!size || Math.abs(size.width / size.height / ratio - 1) < 0.005) continue;
    const rest = [
      `${sizeOf(first)}, as the first`,
      'give all items one ratio, or put the one first whose ratio fits all',
    ] as const;
    found.push({
      item,
      ...findingBy('changed', 'aspect_ratio', sizeOf(size), rest, [guide]),
      message: `aspect ratio: item ${item + 1} is cropped to the ratio of the first, ${sizeOf(first)}; ${cropOf(size, ratio)}`,
    });
  }
  return found;
}

/** The size of an item, if it is known and not refused: what is refused will have another one. */
function shownSize(facts: MediaFacts): MediaSize | undefined {
  const { width, height, kind } = facts;
  const found = judgeAny(facts, kind === 'video' ? 'pics.carouselVideo' : 'pics.carouselImage');
  return width && height && !isRefused(found, 'aspect_ratio') ? { width, height } : undefined;
}
