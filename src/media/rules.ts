import { fileRobot } from '../core/platform.ts';
import {
  attachments,
  pagePhotos,
  pageReels,
  pageVideos,
  picsLong,
  picsPhotos,
  picsStills,
  picsVideos,
  stills,
  tall,
  videos,
} from './kinds.ts';
import {
  type AudioFacts,
  type ImageFacts,
  type MediaFacts,
  type MediaFinding,
  type MediaFix,
  type MediaKind,
  type MediaLimits,
  type MediaProperty,
  type MediaSeverity,
  type MediaSize,
  type VideoFacts,
} from './types.ts';

/** What mends something, in words for a person, and as data where a tool does it; no words, if nobody can. */
export type Mended = string | readonly [words: string, fix: MediaFix];
type Mends = Mended | ((facts: Known) => Mended);

/** Facts as rules read them: a size that is not known is 0, and what a file does not have is empty. */
type Known = Omit<MediaFacts, 'width' | 'height' | 'image' | 'video' | 'audio'> &
  MediaSize & {
    readonly image: Partial<ImageFacts>;
    readonly video: Partial<VideoFacts>;
    readonly audio: Partial<AudioFacts>;
  };

export function knownOf(facts: MediaFacts): Known {
  const { width = 0, height = 0, image = {}, video = {}, audio = {} } = facts;
  return { ...facts, width, height, image, video, audio };
}

/**
 * What a property has to be: what is found of a file that is otherwise, what is taken, what mends it, and the numbers of
 * the rule.
 */
type Check = readonly [
  property: MediaProperty,
  find: (facts: Known) => string | false | undefined,
  rule: string,
  mends: Mends,
  limits?: MediaLimits,
];
type Find = Check[1];

/** Where a rule is from, the code of a refusal, and what else is known about it. */
type From = readonly [
  source: string,
  code?: string | undefined,
  note?: string | ((facts: Known) => string) | undefined,
];

/**
 * What the platforms do with a file. This table is the only place that knows: `judgeMedia` applies it, `mend` keeps to
 * it, and docs/media-rules.md shows it. `refused` is only what is certain, since a wrong refusal is worse than an error
 * of the platform. Of several rules about a property, the worst stands first: what is refused is not also at risk.
 */
export type MediaRule = readonly [severity: MediaSeverity, kinds: Kinds, check: Check, ...from: From];
type Kinds = readonly MediaKind[];

const ruleOf =
  (severity: MediaSeverity) =>
  (kinds: MediaKind | Kinds, check: Check, ...from: From): MediaRule => [
    severity,
    [kinds].flat(),
    check,
    ...from,
  ];
const refused = ruleOf('refused');
const changed = ruleOf('changed');
const risk = ruleOf('risk');

export function wordsOf(property: MediaProperty): string {
  return property.replace('_', ' ');
}

/** A finding by a rule. */
export function findingBy(
  severity: MediaSeverity,
  property: MediaProperty,
  found: string,
  [rule, mends, limits]: readonly [rule: string, mends: Mends, limits?: MediaLimits | undefined],
  [source, code, note]: From,
  facts?: Known,
): MediaFinding {
  const more = typeof note === 'function' ? facts && note(facts) : note;
  const mended = typeof mends === 'function' ? facts && mends(facts) : mends;
  const [remedy, fix] = typeof mended === 'object' ? mended : [mended];
  return {
    property,
    severity,
    found,
    rule,
    ...(limits && { limits }),
    message: `${wordsOf(property)}: ${found}, where ${rule} is ${severity === 'refused' ? 'taken' : 'asked for'}${more ? `; ${more}` : ''}`,
    ...(fix && { fix }),
    ...(remedy && { remedy }),
    ...(code && { code }),
    source,
  };
}

// Where the rules are from, with the date of the page or of the observation.
const userMedia = 'IG User Media reference, 2026-10-04';
const userMedia2021 = 'IG User Media reference, 2021';
export const guide = 'Content Publishing guide, 2026-10-04';
export const errorCodes = 'Error Codes, 2026-06-02';
const reelsPage = 'Reels Publishing API, 2026-07';
const storiesPage = 'Page Stories API, 2026-05-06';
const videoPage = 'Video API reference, 2026';
const photoPage = 'Page Photos reference, 2026-10-04';
const savingAssets = 'Messenger Platform, Saving assets, 2026-04-22';
const uploadMedia = 'Messaging, Upload Media, 2026-04-01';
const tools = 'limits of publishing tools, 2026';
const nowhere = 'documented nowhere, 2026-11-27';
const seen = 'observed, 2026';

const videoCode = '352/2207026';
const photoCode = '100/1366046';
const formatCode = '36001/2207005';
const sizeCode = '36000/2207004';
const ratioCode = '36003/2207009';
const attachmentCode = '100/2534080';
const ofVideo: From = [userMedia, videoCode];
const ofAttachment: From = [uploadMedia, attachmentCode];

function megabytes(size: number): string {
  return `${Math.round(size / 10_000) / 100} MB`;
}

function ratio(value: number): string {
  return `${Math.round(value * 10_000) / 10_000}`;
}

export function sizeOf({ width, height }: MediaSize): string {
  return `${width} × ${height}`;
}

/** Nothing makes a picture or video of a document. */
const toFile = (format: MediaFacts['format']): string =>
  format === 'html' ? 'it is a page: take the file itself' : '';
export const mp4: Mended = ['save it as an MP4', { format: 'mp4' }];
const encoded: Mended = ['encode it again as H.264 in 4:2:0', { encode: true }];
/** ffmpeg makes a video of these pictures. */
const toVideo = ({ kind, format }: Known): Mended =>
  /^[au]/.test(kind) ? toFile(format) : /^(?:heic|avif|jxl)$/.test(format) ? 'publish it as a picture' : mp4;
const toSound = ({ kind, format }: Known): Mended =>
  /^[av]/.test(kind) ? ['save it as an M4A', { format: 'm4a' }] : toFile(format);
/** What neither sharp, as npm installs it, nor ffmpeg reads well: it turns the picture, and may keep the tag that turns it. */
const jpeg = 'save it as a JPEG';
const ofHeic = `${jpeg}, such as heif-convert IN OUT.jpg && exiftool -Orientation= OUT.jpg`;
/** Any picture, as long as it is one. */
const toPicture = ({ kind, format, image }: Known): Mended =>
  kind === 'video'
    ? 'publish it as a video'
    : kind !== 'image'
      ? toFile(format)
      : format === 'heic'
        ? ofHeic
        : format === 'jpeg' && (image.bitDepth ?? 8) > 8
          ? `${jpeg} of 8 bits, with what has made it`
          : [jpeg, { format: 'jpeg' }];
const toSrgb: Mended = [`${jpeg} in sRGB`, { format: 'jpeg', colour: 'srgb' }];

/** One of these formats, separated by blanks. Those in `also` are not asked for either, but another rule is about them. */
function formats(
  asked: string,
  mends: Mends,
  also = '',
  words = asked.replaceAll(' ', ', ').replace(/, (?!.*,)/, ' or '),
): Check {
  const known = `${asked} ${also} unknown`.split(' ');
  return ['format', ({ format }) => !known.includes(format) && format, words, mends];
}

/** A word, or several, of which none is wrong. */
function words(
  property: MediaProperty,
  read: (facts: Known) => string | readonly string[] | undefined,
  wrong: RegExp,
  rule: string,
  mends: Mends,
): Check {
  return [property, (facts) => [read(facts) ?? []].flat().find((word) => wrong.test(word)), rule, mends];
}

const pictures = 'jpeg bmp png gif tiff';
const containers = 'mp4 mov 3gp matroska mpegts mpegps avi flv asf ogg';

/** At most so many megabytes. */
function upTo(most: number, words = `${most} MB`): Check {
  const maxBytes = Math.round(most * 1_000_000);
  const find: Find = ({ size }) => size > maxBytes && megabytes(size);
  const mends = ({ format, kind }: Known): Mended =>
    format === 'heic' ? ofHeic : kind === 'unknown' ? '' : [`encode it again, with ${words}`, { maxBytes }];
  return ['size', find, `at most ${words}`, mends, { most: maxBytes }];
}

/** So many seconds, known to a tenth of one. */
function lasts(least: number, most: number, best = most): Check {
  return [
    'duration',
    ({ durationMs = least * 1000 }) =>
      (durationMs < least * 1000 - 100 || durationMs > most * 1000 + 100) && `${durationMs / 1000} s`,
    `${least ? `${least} to` : 'at most'} ${most} s`,
    ({ durationMs = Infinity }) =>
      durationMs > best * 1000
        ? [`keep the first ${best} s`, { maxMs: best * 1000 }]
        : 'publish a longer video',
    { ...(least && { least: least * 1000 }), most: most * 1000 },
  ];
}

const toRate: Mended = ['give it 24 to 60 pictures per second', { frameRate: [24, 60] }];

/** So many frames a second, as exactly as they are known. What an encoder calls 60 may be 60.02. */
function runs(least: number, from = least * 0.99): Check {
  const find: Find = ({ frameRate: { average, error = 0 } = { average: least } }) =>
    (average + error < from || average - error > 60.6) && `${average} per second`;
  return ['frame_rate', find, `${least} to 60 per second`, toRate, { least, most: 60 }];
}

/** A size or its ratio, if it is known and fails. */
function sized(
  property: 'aspect_ratio' | 'resolution',
  fails: (width: number, height: number, stored: MediaSize) => boolean,
  rule: string,
  mends: Mends,
  limits: MediaLimits,
): Check {
  const find: Find = (facts) => {
    const { width, height, stored = facts } = facts;
    return (
      width * height > 0 &&
      fails(width, height, stored) &&
      (property === 'resolution' ? sizeOf(facts) : ratio(width / height))
    );
  };
  return [property, find, rule, mends, limits];
}

const bars = 'put bars around it';
const tallRatio = 0.5625;
// 16 / 9, which bundlers would keep as a statement that does something.
const wideRatio = 1.777_777_777_777_777_7;

const halfHd = 'sides of 540 and 960 pixels or more';
const ofHalfHd = [
  halfHd,
  [`scale it up to ${halfHd}`, { sides: [540, 960] }],
  { least: 540, longer: 960 },
] as const;

/** A size as it is after the platform has scaled it. */
function scaledBy(factorOf: (width: number, height: number) => number): (facts: Known) => string {
  return ({ width, height }) => {
    const factor = factorOf(width, height);
    return `it is scaled to ${sizeOf({ width: Math.round(width * factor), height: Math.round(height * factor) })}`;
  };
}

/** What is left of a file that is cropped into a range of ratios. */
export function cropInto(
  { width, height }: MediaSize,
  [least, most]: readonly [least: number, most: number],
  rounded = Math.floor,
): MediaSize {
  const to = width < least * height ? least : most;
  return width > height * to
    ? { width: rounded(height * to), height }
    : { width, height: rounded(width / to) };
}

/**
 * A ratio in this range, which a tool crops it into unless other ends are better. Where pixels are not square, the size is
 * rounded, and the ratio with it.
 */
function ratios(
  least: number,
  most: number,
  fit: 'crop' | 'pad',
  slack = 0.5,
  best: readonly [number, number] = [least, most],
  part = 0,
): Check {
  const fails = (width: number, height: number): boolean =>
    width * (1 + part) + slack < least * height || width * (1 - part) - slack > most * height;
  const mends = (facts: Known): Mended => [
    fit === 'pad' ? bars : `crop it to ${sizeOf(cropInto(facts, best))}`,
    { ratio: best, fit },
  ];
  return sized('aspect_ratio', fails, `${ratio(least)} to ${ratio(most)}`, mends, { least, most });
}

const toBars: Mended = [bars, { ratio: [tallRatio, tallRatio], fit: 'pad' }];

/** 9:16, or nearly. */
function isTall(isNarrow = false): Check {
  const fails = (width: number, height: number): boolean =>
    Math.abs(width / height - tallRatio) > 0.01 || (isNarrow && width + 0.5 < tallRatio * height);
  return sized('aspect_ratio', fails, '9:16', toBars, { least: tallRatio, most: tallRatio });
}

/** What of a picture is shown in another ratio, in words. */
export function cropOf(size: MediaSize, to: number): string {
  const shown = cropInto(size, [to, to], Math.round);
  return `${shown.width < size.width ? 'the sides are' : 'top and bottom are'} cut: ${sizeOf(size)} shows ${sizeOf(shown)} of it`;
}

const toTall = (facts: Known): string =>
  `it is shown at 9:16: ${cropOf(facts, tallRatio)}, or with blank space around it`;

function codecs(wrong: RegExp, rule: string): Check {
  return words(
    'codec',
    ({ video: { codec = [], otherCodecs = [] } }) => [codec, otherCodecs].flat(),
    wrong,
    rule,
    encoded,
  );
}

/** The part that a video says should be shown, if it is not all of it. */
const cleanAperture: Find = ({ video: { cleanAperture: shown }, stored }) =>
  shown && stored && shown.width + shown.height < stored.width + stored.height && sizeOf(shown);
const toAperture = ({ video: { cleanAperture: crop } }: Known): Mended =>
  crop ? [`crop it to ${sizeOf(crop)}`, { crop }] : '';

/** What an edit list hides or delays, if it is a frame or more, and more than the 24 ms that a decoder of sound needs first. */
const edited: Find = ({ editList = '', editMs = 0, frameRate: { average } = { average: 24 } }) =>
  editList === 'complex'
    ? 'several edits'
    : /^(?:hides|delays)$/.test(editList) &&
      editMs * average >= 1000 &&
      (editMs > 24 || editList === 'hides') &&
      `${editList} ${editMs} ms`;

/** A high dynamic range. */
export const bright = /^(?:pq|hlg)$/;

/** The rules for pictures. */
export const imageRules: readonly MediaRule[] = [
  refused(picsStills, formats('jpeg', toPicture, 'png gif jxl'), guide, formatCode, 'one tool lists WebP'),
  risk(
    picsStills,
    formats('jpeg', toPicture),
    guide,
    formatCode,
    'other tools send PNG, refused in two reports of 2024 to 2026',
  ),
  refused(pagePhotos, formats(pictures, toPicture, 'webp heic avif jxl'), photoPage, photoCode),
  risk(
    pagePhotos,
    formats(pictures, toPicture),
    photoPage,
    photoCode,
    'a text of the platform names WebP and HEIF too',
  ),
  risk('page.thumbnail', formats(pictures, toPicture), tools),
  refused('pics.messageImage', formats('png jpeg', toPicture, 'gif'), ...ofAttachment),
  risk(
    'pics.messageImage',
    formats('png jpeg', toPicture),
    uploadMedia,
    attachmentCode,
    'one page lists it, another does not',
  ),
  risk('page.messageImage', formats('jpeg png gif webp bmp', toPicture), tools),
  refused(picsStills, upTo(8.388_608), errorCodes, sizeCode),
  risk(picsStills, upTo(8), userMedia, sizeCode, 'the reference says 8 MB, the error 8 MiB'),
  refused(pagePhotos, upTo(10), photoPage, photoCode),
  risk(pagePhotos, upTo(4), 'text of error 100/1366046, 2021', photoCode, 'the reference says 10 MB'),
  changed(
    pagePhotos,
    [
      'size',
      ({ format, size }) => format === 'png' && size > 1_000_000 && megabytes(size),
      'a PNG of at most 1 MB',
      toPicture,
      { most: 1_000_000 },
    ],
    photoPage,
    '',
    'it may look pixelated',
  ),
  risk('page.thumbnail', upTo(10), tools),
  refused('pics.messageImage', upTo(8), uploadMedia, '100'),
  refused('page.messageImage', upTo(25), savingAssets, '100/2018109'),
  risk('page.messageImage', upTo(8, '8 MB by address, 25 MB as bytes'), savingAssets, '100/2018109'),
  refused(picsPhotos, ratios(0.75, 1.91, 'crop', 0, [0.8, 1.91]), userMedia, ratioCode),
  risk(picsPhotos, ratios(0.8, 1.91, 'crop', 0), userMedia, ratioCode, 'two sources of 2026 allow 0.75'),
  changed('pics.storyImage', isTall(), userMedia, '', toTall),
  changed(
    'pics.cover',
    isTall(),
    userMedia,
    '',
    (facts) => `in the tab of Reels, ${cropOf(facts, tallRatio)}`,
  ),
  changed(
    picsPhotos,
    sized(
      'resolution',
      (width) => width < 320 || width > 1440,
      '320 to 1440 pixels wide',
      ['scale it to 320 to 1440 pixels of width', { width: [320, 1440] }],
      { least: 320, most: 1440 },
    ),
    userMedia,
    '',
    scaledBy((width) => (width < 320 ? 320 : 1440) / width),
  ),
  changed(
    pagePhotos,
    sized(
      'resolution',
      (width, height) => Math.max(width, height) > 2048,
      'at most 2048 pixels a side',
      ['scale it to 2048 pixels a side', { longest: 2048 }],
      { most: 2048 },
    ),
    tools,
    '',
    scaledBy((width, height) => 2048 / Math.max(width, height)),
  ),
  risk(
    stills,
    [
      'process',
      ({ format, image: { process = '', bitDepth = 0 } }) =>
        format === 'jpeg' && (/^[al]/.test(process) ? process : bitDepth > 8 && `${bitDepth} bits`),
      'a baseline or progressive JPEG of 8 bits',
      toPicture,
    ],
    nowhere,
    '',
    'few decoders read it',
  ),
  risk(
    stills,
    words('colour', ({ image }) => image.colour, /cmyk/, 'RGB', toSrgb),
    nowhere,
  ),
  changed(
    picsStills,
    words('colour', ({ image }) => image.colour, /display_p3|adobe_rgb|other/, 'sRGB', toSrgb),
    userMedia,
    '',
    'its colours become sRGB',
  ),
  risk(
    picsStills,
    ['multi_picture', ({ image }) => image.isMultiPicture && 'several', 'one picture', toPicture],
    guide,
  ),
  changed(
    pagePhotos,
    [
      'animation',
      ({ image }) => image.isAnimated && 'animated',
      'a still picture',
      'publish it with publishVideo',
    ],
    photoPage,
    '',
    'only its first picture is shown',
  ),
  changed(
    stills,
    words(
      'digital_source',
      ({ image }) => image.digitalSource,
      /algorithmic/i,
      'no such word in its XMP',
      'correct it, if it is wrong',
    ),
    seen,
    '',
    'it is labelled as made by AI',
  ),
];

/** All rules. */
export const mediaRules: readonly MediaRule[] = [
  ...imageRules,
  refused(picsVideos, formats('mp4 mov', toVideo, '3gp'), ...ofVideo),
  risk(picsVideos, formats('mp4 mov', toVideo), ...ofVideo),
  refused(pageVideos, formats('', toVideo, `webm gif ${containers}`, 'a video, best mp4'), videoPage, '352'),
  risk('page.video', formats(`${containers} gif`, mp4, '', 'one of 33 containers, best mp4'), videoPage),
  risk(pageReels, formats('mp4', toVideo, 'mov'), reelsPage),
  refused('pics.messageVideo', formats('mp4 ogg avi mov webm', toVideo, '3gp'), ...ofAttachment),
  risk('pics.messageVideo', formats('mp4 ogg avi mov webm', toVideo), ...ofAttachment),
  refused('pics.messageAudio', formats('aac m4a wav mp4', toSound), ...ofAttachment),
  refused('pics.messageFile', formats('pdf', ''), ...ofAttachment),
  risk('page.messageVideo', formats('mp4 mov 3gp flv', toVideo), tools),
  risk('page.messageAudio', formats('mp3 amr m4a', toSound), tools),
  refused(
    'pics.reel',
    upTo(300),
    userMedia,
    '2207077',
    'until 2023 it was 1 GB; one of 409 MB was refused in 2026',
  ),
  refused('pics.storyVideo', upTo(100), userMedia, '2207077'),
  risk('pics.carouselVideo', upTo(100), userMedia2021),
  risk(pageVideos, upTo(1000, '1 GB'), tools),
  refused(attachments, upTo(25), savingAssets, '100/2018109'),
  refused('pics.reel', ratios(0.01, 10, 'pad'), ...ofVideo),
  refused('pics.storyVideo', ratios(0.1, 10, 'pad'), ...ofVideo),
  changed(picsLong, isTall(), userMedia, '', toTall),
  risk(
    'pics.carouselVideo',
    ratios(0.8, wideRatio, 'crop'),
    userMedia2021,
    videoCode,
    'no page of 2026 has a limit',
  ),
  // By more than the sizes of screens and the rounding of encoders: 1366 by 768 is meant as 16:9.
  refused(
    'page.reel',
    ratios(tallRatio, wideRatio, 'pad', 0, [tallRatio, tallRatio], 0.01),
    reelsPage,
    '1363040',
  ),
  risk(
    'page.video',
    ratios(tallRatio, wideRatio, 'pad'),
    videoPage,
    '1363040',
    'said of Reels, and no refusal was seen',
  ),
  risk(pageReels, isTall(true), reelsPage, '1363040', 'its error allows 9:16 to 16:9'),
  risk(
    'page.video',
    sized(
      'aspect_ratio',
      (width, height) => width < height,
      'landscape or square',
      'publish it with publishReel',
      { least: 1 },
    ),
    seen,
    '',
    'a short one may end as an unpublished draft of a Reel',
  ),
  risk(
    picsLong,
    sized(
      'resolution',
      (width) => width > 1920,
      'at most 1920 pixels wide',
      ['scale it to 1920 pixels a side', { longest: 1920 }],
      { most: 1920 },
    ),
    userMedia,
    videoCode,
    'no refusal was seen',
  ),
  refused(
    pageReels,
    sized(
      'resolution',
      // Those who make up for narrow pixels in height show it larger. Browsers do, ffmpeg takes it from the width, and what the
      // platform does is not known.
      (width, height, stored) =>
        Math.min(width, height) * Math.max(1, (stored.width * stored.height) / (width * height)) < 540,
      ...ofHalfHd,
    ),
    reelsPage,
    '1363127',
  ),
  risk(
    pageReels,
    sized(
      'resolution',
      (width, height) => Math.min(width, height) < 540 || Math.max(width, height) < 960,
      ...ofHalfHd,
    ),
    reelsPage,
    '1363127',
  ),
  refused('pics.reel', lasts(3, 900), ...ofVideo),
  refused('pics.storyVideo', lasts(3, 60), ...ofVideo),
  refused('pics.carouselVideo', lasts(3, 900, 60), userMedia2021, videoCode, 'as for a Reel'),
  risk('pics.carouselVideo', lasts(0, 60), userMedia2021, videoCode),
  refused('page.reel', lasts(3, 90), reelsPage, '1363128', 'no report of a longer one by the API was found'),
  refused('page.videoStory', lasts(3, 60), storiesPage, '1363128'),
  risk(
    'page.video',
    lasts(0, 1200),
    tools,
    '1363026',
    'in one request; in parts, 4 hours; the code was seen above 40 minutes',
  ),
  refused(picsVideos, runs(23), ...ofVideo),
  refused(pageReels, runs(23), reelsPage, '1363129'),
  risk(pageReels, runs(24, 23.9952), reelsPage, '1363129', 'the sample of the platform takes 23'),
  refused(
    videos,
    ['encryption', ({ isEncrypted }) => isEncrypted && 'encrypted', 'not encrypted', 'publish the original'],
    userMedia,
  ),
  refused(
    picsVideos,
    codecs(/^(?:vp[89]|av1|prores|dnxhd|mpeg[124]|mjpeg|h263|png)$/, 'h264 or hevc'),
    ...ofVideo,
  ),
  risk(picsVideos, codecs(/^(?!(?:h264|hevc)$)/, 'h264 or hevc'), ...ofVideo),
  risk(
    'pics.reel',
    codecs(/^hevc$/, 'h264'),
    tools,
    videoCode,
    'the reference takes hevc, and two tools call it incompatible',
  ),
  risk(pageReels, codecs(/^(?!(?:h264|hevc|vp9|av1)$)/, 'h264, hevc, vp9 or av1'), reelsPage),
  risk(
    tall,
    words('chroma', ({ video }) => video.chroma, /^(?!4:2:0)/, '4:2:0', encoded),
    userMedia,
    videoCode,
    'encoders write 4:4:4 of RGB pictures',
  ),
  risk(
    tall,
    [
      'bit_depth',
      ({ video: { bitDepth = 0, transfer = '' } }) =>
        bitDepth > 8 && !bright.test(transfer) && `${bitDepth} bits`,
      '8 bits',
      encoded,
      { most: 8 },
    ],
    nowhere,
  ),
  risk(
    tall,
    words('transfer', ({ video }) => video.transfer, bright, 'standard dynamic range', [
      'convert it to standard dynamic range',
      { toneMap: true },
    ]),
    nowhere,
    '',
    'phones write it, its colours may change, and two tools call it incompatible',
  ),
  risk(
    tall,
    [
      'scan',
      ({ video }) => video.scan === 'maybe_interlaced' && 'perhaps interlaced',
      'progressive',
      ['make frames of its fields', { deinterlace: true }],
    ],
    userMedia,
  ),
  risk(
    tall,
    words('gop', ({ video }) => video.gop, /open/, 'closed groups of pictures', encoded),
    userMedia,
    '',
    'phones write them, and no refusal was seen',
  ),
  risk(
    picsLong,
    [
      'edit_list',
      edited,
      'none that hides or delays',
      ['encode it again as it is shown, with its sound', { edits: true }],
    ],
    userMedia,
    '',
    'what it hides may be shown',
  ),
  risk(
    picsLong,
    [
      'moov',
      ({ moov }) => (moov === 'end' ? 'at the end' : moov === 'fragmented' && 'in parts'),
      'the index in front',
      ['move the index to the front, without encoding it', { index: true }],
    ],
    userMedia,
    '',
    'phones put it at the end, and no refusal was seen',
  ),
  risk(
    videos,
    ['clean_aperture', cleanAperture, 'none', toAperture],
    nowhere,
    '',
    'players ignore it and show all',
  ),
  risk(
    picsLong,
    [
      'bit_rate',
      ({ bitRate = 0 }) => bitRate > 25_000_000 && `${Math.round(bitRate / 100_000) / 10} Mbit/s`,
      'at most 25 Mbit/s',
      ['encode it with at most 25 Mbit/s', { maxBitRate: 25_000_000 }],
      { most: 25_000_000 },
    ],
    userMedia,
  ),
  risk(
    videos,
    words('audio', ({ audio }) => audio.codec, /^(?!aac$)/, 'aac', [
      'encode its sound as AAC',
      { soundCodec: 'aac' },
    ]),
    ...ofVideo,
  ),
  risk(
    videos,
    [
      'audio',
      ({ audio: { sampleRate = 0 } }) => sampleRate > 48_000 && `${sampleRate} Hz`,
      'at most 48000 Hz',
      ['encode its sound at 48000 Hz', { sampleRate: 48_000 }],
      { most: 48_000 },
    ],
    userMedia,
  ),
  risk(
    videos,
    [
      'audio',
      ({ audio: { channels = 0 } }) => channels > 2 && `${channels} channels`,
      '1 or 2 channels',
      ['mix its sound to 2 channels', { channels: 2 }],
      { least: 1, most: 2 },
    ],
    userMedia,
  ),
];

const toPublic = 'put the file where everybody can fetch it, or upload its bytes';
const toType = 'serve it with the Content-Type of its bytes';
const toRanges = 'use a host that knows Range, or upload the bytes';
const toLetIn = `a robots.txt that lets ${fileRobot} in`;
const toRobots = `allow ${fileRobot} in robots.txt, or upload the bytes`;
const observed = 'observed by publishing tools, 2026';
const unasked = 'it was not asked';

/**
 * What the platforms do with an address: `checkMediaUrl` finds it. Where the code is `ready`, the platform says that the
 * file is not ready; otherwise, that it cannot fetch it.
 */
export const urlRules = {
  host: ['refused', 'a public host', toPublic, guide, '', unasked],
  ownHost: ['refused', 'a host that is not one of the platform', toPublic, reelsPage, '', unasked],
  scheme: ['risk', 'https', 'serve it over https', observed],
  status: [
    'refused',
    'status 200 or 206',
    toPublic,
    guide,
    '',
    'it may need a login, be gone, or its signature may have expired',
  ],
  notReady: [
    'risk',
    'a file that is ready at the first request',
    'ask for it until it answers 200, and publish then',
    observed,
    'ready',
  ],
  redirect: [
    'risk',
    'no redirect',
    'give the address that it leads to',
    observed,
    '',
    'it was not followed, and such addresses were refused',
  ],
  html: [
    'refused',
    'the file itself',
    toPublic,
    guide,
    '',
    'what cloud drives share is a page that shows the file',
  ],
  otherType: ['refused', 'the type that the host announces', toType, observed],
  looseType: ['risk', 'the Content-Type of the file, such as image/jpeg and video/mp4', toType, observed],
  audioType: [
    'refused',
    'a Content-Type that begins with audio/',
    'serve it with a Content-Type such as audio/mp4',
    savingAssets,
  ],
  robots: ['refused', toLetIn, toRobots, reelsPage],
  robotsOfAll: ['risk', toLetIn, toRobots, reelsPage, '', 'the rule is for all robots, and names none'],
  robotsUnclear: [
    'risk',
    'a robots.txt that is text, or is not there',
    'serve robots.txt as text, or let it answer 404',
    observed,
    'ready',
  ],
  noRanges: [
    'risk',
    'a host that answers Range with 206',
    toRanges,
    observed,
    '',
    'videos of some such hosts were refused',
  ],
  oddRange: ['risk', 'the part of the file that was asked for', toRanges, observed],
  noLength: ['risk', 'a host that tells the size', 'serve it with Content-Length', observed],
  empty: ['refused', 'a file that is not empty', 'store the file again', errorCodes],
} as const satisfies Readonly<Record<string, readonly [MediaSeverity, string, string, ...From]>>;
