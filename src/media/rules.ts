import type { MediaFacts, MediaFormat, MediaKind, MediaProperty, MediaSeverity } from './types.ts';

/**
 * What the platforms do with a file. This table is the only place that knows: `judgeMedia` applies it, and docs/media.md
 * shows it. `refused` is only what is certain, since a wrong refusal is worse than an error of the platform.
 */
export interface MediaRule {
  readonly kinds: readonly MediaKind[];
  readonly property: MediaProperty;
  readonly severity: MediaSeverity;
  /** What is taken. */
  readonly rule: string;
  /** What the file has instead; `undefined` if it is as it should be, or does not tell. */
  readonly find: (facts: MediaFacts) => string | undefined;
  readonly source: string;
  readonly code?: string;
  /** What becomes of it, or what else is known about the rule. */
  readonly note?: string | ((facts: MediaFacts) => string);
  readonly remedy?: string | ((facts: MediaFacts) => string);
}

// Where the rules are from, with the date of the page or of the observation.
const userMedia = 'IG User Media reference, 2026-10-04';
const userMedia2021 = 'IG User Media reference of 2021';
const guide = 'Content Publishing guide, 2026-10-04';
const errorCodes = 'Error Codes, 2026-06-02';
const reelsPage = 'Reels Publishing API, 2026-07';
const storiesPage = 'Page Stories API, 2026-05-06';
const videoPage = 'Video API reference, 2026';
const photoPage = 'Page Photos reference, 2026-10-04';
const savingAssets = 'Messenger Platform, Saving assets, 2026-04-22';
const uploadMedia = 'Messaging, Upload Media, 2026-04-01';
const tools = 'limits of publishing tools, 2026';
const nowhere = 'documented nowhere, 2026-11-27';

const picsPhotos: readonly MediaKind[] = ['pics.image', 'pics.carouselImage'];
const picsStills: readonly MediaKind[] = [...picsPhotos, 'pics.storyImage', 'pics.cover'];
const picsLong: readonly MediaKind[] = ['pics.reel', 'pics.storyVideo'];
const picsVideos: readonly MediaKind[] = [...picsLong, 'pics.carouselVideo'];
const pagePhotos: readonly MediaKind[] = ['page.photo', 'page.photoStory'];
const pageReels: readonly MediaKind[] = ['page.reel', 'page.videoStory'];
const tall: readonly MediaKind[] = [...picsLong, ...pageReels];
const videos: readonly MediaKind[] = [...picsVideos, 'page.video', ...pageReels];
const pageMessages: readonly MediaKind[] = [
  'page.messageImage',
  'page.messageVideo',
  'page.messageAudio',
  'page.messageFile',
];
const picsMessages: readonly MediaKind[] = ['pics.messageVideo', 'pics.messageAudio', 'pics.messageFile'];

const pictures: readonly MediaFormat[] = ['jpeg', 'png', 'gif', 'webp', 'heic', 'avif', 'tiff', 'bmp', 'jxl'];
const sounds: readonly MediaFormat[] = ['m4a', 'mp3', 'aac', 'wav', 'amr'];
const others: readonly MediaFormat[] = ['pdf', 'html', ...sounds];
const otherVideos: readonly MediaFormat[] = [
  'matroska',
  'webm',
  'mpegts',
  'mpegps',
  'avi',
  'flv',
  'asf',
  'ogg',
];
const movies: readonly MediaFormat[] = ['mp4', 'mov', '3gp', ...otherVideos];

const videoCode = '352/2207026';
const toMp4 = 'ffmpeg -i IN -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart OUT.mp4';
const toJpeg = 'save it as a JPEG, such as sharp(IN).rotate().jpeg().toFile(OUT)';
const ofPicture =
  'publish it as a picture, or as a video of it: ffmpeg -loop 1 -t 5 -i IN -c:v libx264 -pix_fmt yuv420p -movflags +faststart OUT.mp4';
const toVideo = ({ kind }: MediaFacts): string => (kind === 'image' ? ofPicture : toMp4);
const toPicture = ({ kind }: MediaFacts): string => (kind === 'video' ? 'publish it as a video' : toJpeg);

const megabyte = 1_000_000;

function megabytes(size: number): string {
  return `${Math.round(size / 10_000) / 100} MB`;
}

function isOneOf(formats: readonly MediaFormat[]): MediaRule['find'] {
  return ({ format }) => (formats.includes(format) ? format : undefined);
}

/** All but some formats, and those that are not known. */
function isNoneOf(formats: readonly MediaFormat[]): MediaRule['find'] {
  return ({ format }) => (format === 'unknown' || formats.includes(format) ? undefined : format);
}

function isLarger(limit: number, upTo = Infinity): MediaRule['find'] {
  return ({ size }) => (size > limit && size <= upTo ? megabytes(size) : undefined);
}

/** A duration is known to a tenth of a second. */
function lasts(least: number, most: number): MediaRule['find'] {
  return ({ durationMs }) =>
    durationMs !== undefined && (durationMs < least * 1000 - 100 || durationMs > most * 1000 + 100)
      ? `${durationMs / 1000} s`
      : undefined;
}

/** What an encoder calls 60 frames a second may be 60.02. */
function runs(least: number, most: number, tolerance = 0.01): MediaRule['find'] {
  return ({ frameRate }) =>
    frameRate && (frameRate.average < least * (1 - tolerance) || frameRate.average > most * (1 + tolerance))
      ? `${frameRate.average} per second`
      : undefined;
}

/** The size, if it is known and fails. */
function isSized(fails: (width: number, height: number) => boolean): MediaRule['find'] {
  return ({ width, height }) =>
    width && height && fails(width, height) ? `${width} × ${height}` : undefined;
}

function ratioOf({ width, height }: MediaFacts): number | undefined {
  return width && height ? width / height : undefined;
}

/** Where pixels are not square, the size is rounded, and the ratio with it. */
function isOutside(least: number, most: number): MediaRule['find'] {
  return (facts) => {
    const { width = 0, height = 0, kind } = facts;
    const slack = kind === 'video' ? 0.5 : 0;
    return ratioOf(facts) !== undefined && (width + slack < least * height || width - slack > most * height)
      ? ratio(width / height)
      : undefined;
  };
}

function ratio(value: number): string {
  return `${Math.round(value * 10_000) / 10_000}`;
}

/** What of a picture is shown in another ratio, in words. */
export function cropOf(facts: Pick<MediaFacts, 'width' | 'height'>, to: number): string {
  const { width = 0, height = 0 } = facts;
  const isWide = width > height * to;
  const [shownWidth, shownHeight] = isWide
    ? [Math.round(height * to), height]
    : [width, Math.round(width / to)];
  return `${isWide ? 'the sides are' : 'top and bottom are'} cut: ${width} × ${height} shows ${shownWidth} × ${shownHeight} of it`;
}

const tallRatio = 0.5625;

const isNotTall: MediaRule['find'] = (facts) => {
  const found = ratioOf(facts);
  return found !== undefined && Math.abs(found - tallRatio) > 0.01 ? ratio(found) : undefined;
};

const cropToTall = (facts: MediaFacts): string =>
  `it is shown at 9:16: ${cropOf(facts, tallRatio)}, or it gets blank space around it`;

const scaleToTall = (facts: MediaFacts): string =>
  facts.kind === 'video'
    ? '-vf "scale=1080:1920:force_original_aspect_ratio=decrease,pad=1080:1920:-1:-1" keeps all of it, with bars'
    : "sharp(IN).resize(1080, 1920, { fit: 'contain' }) keeps all of it, with bars";

/** A crop into the range of ratios, with its figures. */
function cropInto(least: number, most: number): (facts: MediaFacts) => string {
  return (facts) => {
    const to = (ratioOf(facts) ?? 0) < least ? least : most;
    const { width = 0, height = 0 } = facts;
    const [w, h] = width > height * to ? [Math.floor(height * to), height] : [width, Math.floor(width / to)];
    return facts.kind === 'video' ? `-vf crop=${w - (w % 2)}:${h - (h % 2)}` : `crop it to ${w} × ${h}`;
  };
}

/** The rate at which a video of this length fits. */
function fitInto(limit: number): (facts: MediaFacts) => string {
  return ({ durationMs = 0 }) => {
    const rate = Math.floor((limit * 0.95 * 8) / durationMs);
    return rate > 256 && durationMs > 0
      ? `-b:v ${rate - 128}k -maxrate ${rate}k -bufsize 8M`
      : 'encode it at a lower bit rate';
  };
}

const shrink =
  'lower the quality or the size, such as sharp(IN).resize({ width: 1440 }).jpeg({ quality: 85 })';
const longest =
  (seconds: number) =>
  ({ durationMs = 0 }: MediaFacts): string =>
    durationMs > seconds * 1000 ? `-t ${seconds} keeps the first ${seconds} s` : 'publish a longer video';

export const mediaRules: readonly MediaRule[] = [
  // Formats.
  {
    kinds: picsStills,
    property: 'format',
    severity: 'refused',
    rule: 'jpeg',
    find: isOneOf(['webp', 'heic', 'avif', 'tiff', 'bmp', ...movies, ...others]),
    source: guide,
    code: '36001/2207005',
    remedy: toJpeg,
  },
  {
    kinds: picsStills,
    property: 'format',
    severity: 'risk',
    rule: 'jpeg',
    find: isOneOf(['png', 'gif', 'jxl']),
    source: guide,
    code: '36001/2207005',
    note: 'other tools send PNG, and no refusal was seen',
    remedy: toJpeg,
  },
  {
    kinds: picsVideos,
    property: 'format',
    severity: 'refused',
    rule: 'mp4 or mov',
    find: isOneOf([...pictures, ...otherVideos, ...others]),
    source: userMedia,
    code: videoCode,
    remedy: toVideo,
  },
  {
    kinds: [...picsVideos, 'pics.messageVideo'],
    property: 'format',
    severity: 'risk',
    rule: 'mp4 or mov',
    find: isOneOf(['3gp']),
    source: userMedia,
    code: videoCode,
    remedy: '-c copy OUT.mp4',
  },
  {
    kinds: pagePhotos,
    property: 'format',
    severity: 'refused',
    rule: 'jpeg, bmp, png, gif or tiff',
    find: isOneOf([...movies, ...others]),
    source: photoPage,
    code: '100/1366046',
    remedy: toPicture,
  },
  {
    kinds: pagePhotos,
    property: 'format',
    severity: 'risk',
    rule: 'jpeg, bmp, png, gif or tiff',
    find: isOneOf(['webp', 'heic', 'avif', 'jxl']),
    source: photoPage,
    code: '100/1366046',
    note: 'a text of the platform names WebP and HEIF too',
    remedy: toJpeg,
  },
  {
    kinds: ['page.video', ...pageReels],
    property: 'format',
    severity: 'refused',
    rule: 'a video, best mp4',
    find: isOneOf([...pictures.filter((format) => format !== 'gif'), ...others]),
    source: videoPage,
    code: '352',
    remedy: toVideo,
  },
  {
    kinds: ['page.video'],
    property: 'format',
    severity: 'risk',
    rule: 'one of 33 containers, best mp4',
    find: isOneOf(['webm']),
    source: videoPage,
    remedy: toMp4,
  },
  {
    kinds: pageReels,
    property: 'format',
    severity: 'risk',
    rule: 'mp4',
    find: isOneOf(['gif', '3gp', ...otherVideos]),
    source: reelsPage,
    remedy: toMp4,
  },
  {
    kinds: ['page.thumbnail'],
    property: 'format',
    severity: 'risk',
    rule: 'jpeg, png, bmp, gif or tiff',
    find: isNoneOf(['jpeg', 'png', 'bmp', 'gif', 'tiff']),
    source: tools,
    remedy: toJpeg,
  },
  {
    kinds: ['pics.messageImage'],
    property: 'format',
    severity: 'refused',
    rule: 'png or jpeg',
    find: isNoneOf(['png', 'jpeg', 'gif']),
    source: uploadMedia,
    remedy: toJpeg,
  },
  {
    kinds: ['pics.messageImage'],
    property: 'format',
    severity: 'risk',
    rule: 'png or jpeg',
    find: isOneOf(['gif']),
    source: uploadMedia,
    note: 'one page of the platform lists it, another does not',
    remedy: toJpeg,
  },
  {
    kinds: ['pics.messageVideo'],
    property: 'format',
    severity: 'refused',
    rule: 'mp4, ogg, avi, mov or webm',
    find: isNoneOf(['mp4', 'ogg', 'avi', 'mov', 'webm', '3gp']),
    source: uploadMedia,
    remedy: toMp4,
  },
  {
    kinds: ['pics.messageAudio'],
    property: 'format',
    severity: 'refused',
    rule: 'aac, m4a, wav or mp4',
    find: isNoneOf(['aac', 'm4a', 'wav', 'mp4']),
    source: uploadMedia,
    remedy: 'ffmpeg -i IN -vn -c:a aac OUT.m4a',
  },
  {
    kinds: ['pics.messageFile'],
    property: 'format',
    severity: 'refused',
    rule: 'pdf',
    find: isNoneOf(['pdf']),
    source: uploadMedia,
  },
  {
    kinds: ['page.messageImage'],
    property: 'format',
    severity: 'risk',
    rule: 'jpeg, png, gif, webp or bmp',
    find: isNoneOf(['jpeg', 'png', 'gif', 'webp', 'bmp']),
    source: tools,
    remedy: toJpeg,
  },
  {
    kinds: ['page.messageVideo'],
    property: 'format',
    severity: 'risk',
    rule: 'mp4, mov, m4v, 3gp or flv',
    find: isNoneOf(['mp4', 'mov', '3gp', 'flv']),
    source: tools,
    remedy: toMp4,
  },
  {
    kinds: ['page.messageAudio'],
    property: 'format',
    severity: 'risk',
    rule: 'mp3, amr or m4a',
    find: isNoneOf(['mp3', 'amr', 'm4a']),
    source: tools,
    remedy: 'ffmpeg -i IN -vn OUT.mp3',
  },

  // Sizes.
  {
    kinds: picsStills,
    property: 'size',
    severity: 'refused',
    rule: 'at most 8 MiB (8,388,608 bytes)',
    find: isLarger(8_388_608),
    source: errorCodes,
    code: '36000/2207004',
    remedy: shrink,
  },
  {
    kinds: picsStills,
    property: 'size',
    severity: 'risk',
    rule: 'at most 8 MB (8,000,000 bytes)',
    find: isLarger(8 * megabyte, 8_388_608),
    source: userMedia,
    code: '36000/2207004',
    note: 'the reference says 8 MB, the error 8 MiB',
    remedy: shrink,
  },
  {
    kinds: ['pics.reel'],
    property: 'size',
    severity: 'refused',
    rule: 'at most 300 MB',
    find: isLarger(300 * megabyte),
    source: userMedia,
    code: '2207077',
    remedy: fitInto(300 * megabyte),
  },
  {
    kinds: ['pics.storyVideo'],
    property: 'size',
    severity: 'refused',
    rule: 'at most 100 MB',
    find: isLarger(100 * megabyte),
    source: userMedia,
    code: '2207077',
    remedy: fitInto(100 * megabyte),
  },
  {
    kinds: ['pics.carouselVideo'],
    property: 'size',
    severity: 'risk',
    rule: 'at most 100 MB',
    find: isLarger(100 * megabyte),
    source: userMedia2021,
    remedy: fitInto(100 * megabyte),
  },
  {
    kinds: pagePhotos,
    property: 'size',
    severity: 'refused',
    rule: 'at most 10 MB',
    find: isLarger(10 * megabyte),
    source: photoPage,
    code: '100/1366046',
    remedy: shrink,
  },
  {
    kinds: pagePhotos,
    property: 'size',
    severity: 'risk',
    rule: 'at most 4 MB',
    find: isLarger(4 * megabyte, 10 * megabyte),
    source: 'text of error 100/1366046, 2021',
    code: '100/1366046',
    note: 'the reference says 10 MB',
    remedy: shrink,
  },
  {
    kinds: pagePhotos,
    property: 'size',
    severity: 'changed',
    rule: 'a PNG of at most 1 MB',
    find: (facts) => (facts.format === 'png' ? isLarger(megabyte, 4 * megabyte)(facts) : undefined),
    source: photoPage,
    note: 'it may look pixelated',
    remedy: toJpeg,
  },
  {
    kinds: ['page.video', ...pageReels],
    property: 'size',
    severity: 'risk',
    rule: 'at most 1 GB',
    find: isLarger(1000 * megabyte),
    source: tools,
    remedy: fitInto(1000 * megabyte),
  },
  {
    kinds: ['page.thumbnail'],
    property: 'size',
    severity: 'risk',
    rule: 'at most 10 MB',
    find: isLarger(10 * megabyte),
    source: tools,
    remedy: shrink,
  },
  {
    kinds: ['pics.messageImage'],
    property: 'size',
    severity: 'refused',
    rule: 'at most 8 MB',
    find: isLarger(8 * megabyte),
    source: uploadMedia,
    code: '100',
    remedy: shrink,
  },
  {
    kinds: ['page.messageImage'],
    property: 'size',
    severity: 'risk',
    rule: 'at most 8 MB by address, 25 MB as bytes',
    find: isLarger(8 * megabyte, 25 * megabyte),
    source: savingAssets,
    code: '100/2018109',
    remedy: shrink,
  },
  {
    kinds: [...pageMessages, ...picsMessages],
    property: 'size',
    severity: 'refused',
    rule: 'at most 25 MB',
    find: isLarger(25 * megabyte),
    source: savingAssets,
    code: '100/2018109',
    remedy: fitInto(25 * megabyte),
  },

  // Ratio and resolution.
  {
    kinds: picsPhotos,
    property: 'aspect_ratio',
    severity: 'refused',
    rule: '0.75 to 1.91',
    find: isOutside(0.75, 1.91),
    source: userMedia,
    code: '36003/2207009',
    remedy: cropInto(0.8, 1.91),
  },
  {
    kinds: picsPhotos,
    property: 'aspect_ratio',
    severity: 'risk',
    rule: '0.8 to 1.91',
    find: (facts) => (isOutside(0.75, 1.91)(facts) ? undefined : isOutside(0.8, 1.91)(facts)),
    source: userMedia,
    code: '36003/2207009',
    note: '0.75 and more was taken in 2026-05',
    remedy: cropInto(0.8, 1.91),
  },
  {
    kinds: ['pics.storyImage'],
    property: 'aspect_ratio',
    severity: 'changed',
    rule: '9:16',
    find: isNotTall,
    source: userMedia,
    note: cropToTall,
    remedy: scaleToTall,
  },
  {
    kinds: ['pics.cover'],
    property: 'aspect_ratio',
    severity: 'changed',
    rule: '9:16',
    find: isNotTall,
    source: userMedia,
    note: (facts) => `in the tab of Reels, ${cropOf(facts, tallRatio)}`,
    remedy: scaleToTall,
  },
  {
    kinds: ['pics.reel'],
    property: 'aspect_ratio',
    severity: 'refused',
    rule: '0.01 to 10',
    find: isOutside(0.01, 10),
    source: userMedia,
    code: videoCode,
    remedy: scaleToTall,
  },
  {
    kinds: ['pics.storyVideo'],
    property: 'aspect_ratio',
    severity: 'refused',
    rule: '0.1 to 10',
    find: isOutside(0.1, 10),
    source: userMedia,
    code: videoCode,
    remedy: scaleToTall,
  },
  {
    kinds: picsLong,
    property: 'aspect_ratio',
    severity: 'changed',
    rule: '9:16',
    find: (facts) => (isOutside(0.1, 10)(facts) ? undefined : isNotTall(facts)),
    source: userMedia,
    note: cropToTall,
    remedy: scaleToTall,
  },
  {
    kinds: ['pics.carouselVideo'],
    property: 'aspect_ratio',
    severity: 'risk',
    rule: '0.8 to 1.7778',
    find: isOutside(0.8, 16 / 9),
    source: userMedia2021,
    code: videoCode,
    note: 'no page of today has a limit',
    remedy: cropInto(0.8, 16 / 9),
  },
  {
    kinds: ['page.reel'],
    property: 'aspect_ratio',
    severity: 'refused',
    rule: '0.5625 to 1.7778 (9:16 to 16:9)',
    find: isOutside(tallRatio, 16 / 9),
    source: reelsPage,
    code: '1363040',
    remedy: scaleToTall,
  },
  {
    kinds: ['page.video', 'page.videoStory'],
    property: 'aspect_ratio',
    severity: 'risk',
    rule: '0.5625 to 1.7778 (9:16 to 16:9)',
    find: isOutside(tallRatio, 16 / 9),
    source: videoPage,
    code: '1363040',
    note: 'it is said of Reels, and no refusal was seen here',
    remedy: scaleToTall,
  },
  {
    kinds: pageReels,
    property: 'aspect_ratio',
    severity: 'risk',
    rule: '9:16',
    find: (facts) => (isOutside(tallRatio, 16 / 9)(facts) ? undefined : isNotTall(facts)),
    source: reelsPage,
    note: 'its error allows 9:16 to 16:9',
    remedy: scaleToTall,
  },
  {
    kinds: ['page.video'],
    property: 'aspect_ratio',
    severity: 'changed',
    rule: 'landscape or square',
    find: (facts) => ((ratioOf(facts) ?? 1) < 1 ? ratio(ratioOf(facts) ?? 1) : undefined),
    source: 'observed, 2026-07-17',
    note: 'a short one may end as an unpublished draft of a Reel',
    remedy: 'publish it with publishReel',
  },
  {
    kinds: picsPhotos,
    property: 'resolution',
    severity: 'changed',
    rule: '320 to 1440 pixels wide',
    find: isSized((width) => width < 320 || width > 1440),
    source: userMedia,
    note: ({ width = 1, height = 1 }) => {
      const to = width < 320 ? 320 : 1440;
      return `it is scaled to ${to} × ${Math.round((height * to) / width)}`;
    },
    remedy: 'sharp(IN).resize({ width: 1440 }) scales it as you like',
  },
  {
    kinds: picsLong,
    property: 'resolution',
    severity: 'risk',
    rule: 'at most 1920 pixels wide',
    find: isSized((width) => width > 1920),
    source: userMedia,
    code: videoCode,
    note: 'no refusal was seen',
    remedy: '-vf scale=1080:-2',
  },
  {
    kinds: pageReels,
    property: 'resolution',
    severity: 'refused',
    rule: 'the shorter side at least 540 pixels, the longer one 960',
    find: isSized((width, height) => Math.min(width, height) < 540),
    source: reelsPage,
    code: '1363127',
    remedy: '-vf scale=1080:-2 -c:v libx264',
  },
  {
    kinds: pageReels,
    property: 'resolution',
    severity: 'risk',
    rule: 'the shorter side at least 540 pixels, the longer one 960',
    find: isSized((width, height) => Math.min(width, height) >= 540 && Math.max(width, height) < 960),
    source: reelsPage,
    code: '1363127',
    remedy: '-vf scale=1080:-2 -c:v libx264',
  },
  {
    kinds: pagePhotos,
    property: 'resolution',
    severity: 'changed',
    rule: 'at most 2048 pixels a side',
    find: isSized((width, height) => Math.max(width, height) > 2048),
    source: tools,
    note: 'it is scaled down',
  },

  // Time.
  {
    kinds: ['pics.reel'],
    property: 'duration',
    severity: 'refused',
    rule: '3 to 900 s',
    find: lasts(3, 900),
    source: userMedia,
    code: videoCode,
    remedy: longest(900),
  },
  {
    kinds: ['pics.storyVideo'],
    property: 'duration',
    severity: 'refused',
    rule: '3 to 60 s',
    find: lasts(3, 60),
    source: userMedia,
    code: videoCode,
    remedy: longest(60),
  },
  {
    kinds: ['pics.carouselVideo'],
    property: 'duration',
    severity: 'refused',
    rule: '3 to 900 s',
    find: lasts(3, 900),
    source: userMedia2021,
    code: videoCode,
    remedy: longest(60),
  },
  {
    kinds: ['pics.carouselVideo'],
    property: 'duration',
    severity: 'risk',
    rule: 'at most 60 s',
    find: (facts) => (lasts(0, 900)(facts) ? undefined : lasts(0, 60)(facts)),
    source: userMedia2021,
    code: videoCode,
    remedy: longest(60),
  },
  {
    kinds: ['page.reel'],
    property: 'duration',
    severity: 'refused',
    rule: '3 to 90 s',
    find: lasts(3, 90),
    source: reelsPage,
    code: '1363128',
    remedy: longest(90),
  },
  {
    kinds: ['page.videoStory'],
    property: 'duration',
    severity: 'refused',
    rule: '3 to 60 s',
    find: lasts(3, 60),
    source: storiesPage,
    code: '1363128',
    remedy: longest(60),
  },
  {
    kinds: ['page.video'],
    property: 'duration',
    severity: 'risk',
    rule: 'at most 20 minutes',
    find: lasts(0, 1200),
    source: tools,
    note: 'of uploads in one request; in parts, 4 hours',
  },
  {
    kinds: picsVideos,
    property: 'frame_rate',
    severity: 'refused',
    rule: '23 to 60 per second',
    find: runs(23, 60),
    source: userMedia,
    code: videoCode,
    remedy: '-r 30',
  },
  {
    kinds: pageReels,
    property: 'frame_rate',
    severity: 'refused',
    rule: '23 to 60 per second',
    find: runs(23, 60),
    source: reelsPage,
    code: '1363129',
    remedy: '-r 30',
  },
  {
    kinds: pageReels,
    property: 'frame_rate',
    severity: 'risk',
    rule: '24 to 60 per second',
    find: (facts) => (runs(23, 60)(facts) ? undefined : runs(24, 61, 0.0002)(facts)),
    source: reelsPage,
    code: '1363129',
    note: 'the sample of the platform takes 23',
    remedy: '-r 24',
  },

  // Streams.
  {
    kinds: videos,
    property: 'encryption',
    severity: 'refused',
    rule: 'not encrypted',
    find: ({ isEncrypted }) => (isEncrypted ? 'encrypted' : undefined),
    source: userMedia,
    remedy: 'publish the original',
  },
  {
    kinds: picsVideos,
    property: 'codec',
    severity: 'refused',
    rule: 'h264 or hevc',
    find: codecIn(/^(?:vp[89]|av1|prores|dnxhd|mpeg[124]|mjpeg|h263|png)$/),
    source: userMedia,
    code: videoCode,
    remedy: toMp4,
  },
  {
    kinds: picsVideos,
    property: 'codec',
    severity: 'risk',
    rule: 'h264 or hevc',
    find: codecIn(/^(?!(?:h264|hevc|vp[89]|av1|prores|dnxhd|mpeg[124]|mjpeg|h263|png)$)/),
    source: userMedia,
    code: videoCode,
    remedy: toMp4,
  },
  {
    kinds: pageReels,
    property: 'codec',
    severity: 'risk',
    rule: 'h264, hevc, vp9 or av1',
    find: codecIn(/^(?!(?:h264|hevc|vp9|av1)$)/),
    source: reelsPage,
    remedy: toMp4,
  },
  {
    kinds: tall,
    property: 'chroma',
    severity: 'risk',
    rule: '4:2:0',
    find: ({ video }) => (video?.chroma === '4:2:0' ? undefined : video?.chroma),
    source: userMedia,
    code: videoCode,
    note: 'an encoder that gets RGB pictures writes 4:4:4 by default',
    remedy: '-pix_fmt yuv420p',
  },
  {
    kinds: tall,
    property: 'bit_depth',
    severity: 'risk',
    rule: '8 bits',
    find: ({ video }) =>
      video?.bitDepth && video.bitDepth > 8 && !isBright(video.transfer)
        ? `${video.bitDepth} bits`
        : undefined,
    source: nowhere,
    remedy: '-pix_fmt yuv420p',
  },
  {
    kinds: tall,
    property: 'transfer',
    severity: 'risk',
    rule: 'standard dynamic range',
    find: ({ video }) => (isBright(video?.transfer) ? video?.transfer : undefined),
    source: nowhere,
    note: 'phones write it, and its colours may change',
    remedy: '-vf zscale=t=linear,tonemap=hable,zscale=t=bt709:m=bt709:p=bt709 -pix_fmt yuv420p',
  },
  {
    kinds: tall,
    property: 'scan',
    severity: 'risk',
    rule: 'progressive',
    find: ({ video }) => (video?.scan === 'maybe_interlaced' ? 'perhaps interlaced' : undefined),
    source: userMedia,
    remedy: '-vf bwdif',
  },
  {
    kinds: tall,
    property: 'gop',
    severity: 'risk',
    rule: 'closed groups of pictures',
    find: ({ video }) => (video?.gop === 'open' ? 'open' : undefined),
    source: userMedia,
    note: 'phones write them, and no refusal was seen',
    remedy: ({ video }) =>
      video?.codec === 'hevc'
        ? '-c:v libx265 -x265-params open-gop=0'
        : '-c:v libx264 -x264-params open-gop=0',
  },
  {
    kinds: picsLong,
    property: 'edit_list',
    severity: 'risk',
    rule: 'none that hides or delays anything',
    find: ({ editList, editMs }) =>
      editList === 'hides' || editList === 'delays'
        ? `${editList} ${editMs ?? 0} ms`
        : editList === 'complex'
          ? 'several edits'
          : undefined,
    source: userMedia,
    note: 'what it hides may be shown',
    remedy: 'encode it again: -c copy keeps what was cut off',
  },
  {
    kinds: picsLong,
    property: 'moov',
    severity: 'risk',
    rule: 'the index in front',
    find: ({ moov }) => (moov === 'end' ? 'at the end' : moov === 'fragmented' ? 'in parts' : undefined),
    source: userMedia,
    note: 'phones put it at the end, and it was not seen refused for that',
    remedy: '-c copy -movflags +faststart',
  },
  {
    kinds: videos,
    property: 'clean_aperture',
    severity: 'risk',
    rule: 'none',
    find: ({ video, stored }) =>
      video?.cleanAperture &&
      video.cleanAperture.width + video.cleanAperture.height < (stored ? stored.width + stored.height : 0)
        ? `${video.cleanAperture.width} × ${video.cleanAperture.height}`
        : undefined,
    source: nowhere,
    note: 'players ignore it and show all',
    remedy: ({ video }) => `-vf crop=${video?.cleanAperture?.width}:${video?.cleanAperture?.height}`,
  },
  {
    kinds: picsLong,
    property: 'bit_rate',
    severity: 'risk',
    rule: 'at most 25 Mbit/s',
    find: ({ bitRate = 0 }) =>
      bitRate > 25 * megabyte ? `${Math.round(bitRate / 100_000) / 10} Mbit/s` : undefined,
    source: userMedia,
    remedy: '-maxrate 25M -bufsize 50M',
  },
  {
    kinds: videos,
    property: 'audio',
    severity: 'risk',
    rule: 'aac',
    find: ({ audio }) => (audio && audio.codec !== 'aac' ? audio.codec : undefined),
    source: userMedia,
    code: videoCode,
    remedy: '-c:a aac',
  },
  {
    kinds: videos,
    property: 'audio',
    severity: 'risk',
    rule: 'at most 48000 Hz',
    find: ({ audio }) => ((audio?.sampleRate ?? 0) > 48_000 ? `${audio?.sampleRate} Hz` : undefined),
    source: userMedia,
    remedy: '-ar 48000',
  },
  {
    kinds: videos,
    property: 'audio',
    severity: 'risk',
    rule: '1 or 2 channels',
    find: ({ audio }) => ((audio?.channels ?? 0) > 2 ? `${audio?.channels} channels` : undefined),
    source: userMedia,
    remedy: '-ac 2',
  },

  // Pictures.
  {
    kinds: [...picsStills, ...pagePhotos],
    property: 'process',
    severity: 'risk',
    rule: 'a baseline or progressive JPEG of 8 bits',
    find: ({ format, image }) =>
      format !== 'jpeg' || !image
        ? undefined
        : image.process === 'arithmetic' || image.process === 'lossless'
          ? image.process
          : image.bitDepth && image.bitDepth > 8
            ? `${image.bitDepth} bits`
            : undefined,
    source: nowhere,
    note: 'few decoders read it',
    remedy: toJpeg,
  },
  {
    kinds: [...picsStills, ...pagePhotos],
    property: 'colour',
    severity: 'risk',
    rule: 'RGB',
    find: ({ image }) => (image?.colour === 'cmyk' ? 'cmyk' : undefined),
    source: nowhere,
    remedy: "sharp(IN).toColourspace('srgb').jpeg()",
  },
  {
    kinds: picsStills,
    property: 'colour',
    severity: 'changed',
    rule: 'sRGB',
    find: ({ image }) =>
      image?.colour && /^(?:display_p3|adobe_rgb|other)$/.test(image.colour) ? image.colour : undefined,
    source: userMedia,
    note: 'its colours are converted to sRGB',
    remedy: "sharp(IN).toColourspace('srgb').jpeg() converts them before",
  },
  {
    kinds: picsStills,
    property: 'multi_picture',
    severity: 'risk',
    rule: 'one picture',
    find: ({ image }) => (image?.isMultiPicture ? 'several' : undefined),
    source: guide,
    remedy: toJpeg,
  },
  {
    kinds: pagePhotos,
    property: 'animation',
    severity: 'changed',
    rule: 'a still picture',
    find: ({ image }) => (image?.isAnimated ? 'animated' : undefined),
    source: photoPage,
    note: 'only its first picture is shown',
    remedy: 'publish it with publishVideo',
  },
];

function codecIn(codecs: RegExp): MediaRule['find'] {
  return ({ video }) =>
    video && [video.codec, ...(video.otherCodecs ?? [])].find((codec) => codecs.test(codec));
}

function isBright(transfer: string | undefined): boolean {
  return transfer === 'pq' || transfer === 'hlg';
}
