import { ConfigurationError } from '../core/errors.ts';
import { judgeMedia } from './judgeMedia.ts';
import { readMade } from './made.ts';
import { checkMendOptions } from './options.ts';
import { bright, cropInto, knownOf, mediaRules } from './rules.ts';
import type { MediaFacts, MediaFinding, MediaFix, MediaKind, MediaPart, MediaSize } from './types.ts';

/** What {@link mend} reads of a check: the result of `checkMedia` or `checkMediaUrl`. */
export interface MediaReport {
  readonly kind: MediaKind;
  /** Without them, nothing can be mended. */
  readonly facts?: MediaFacts;
  readonly findings: readonly MediaFinding[];
}

/** A report that a caller gave, once read. */
function readReport(given: MediaReport): MediaReport {
  const report = readMade('report', given, 'kind', 'checkMedia');
  if (!Array.isArray(report.findings))
    throw new ConfigurationError('report.findings must be a list', 'report.findings');
  const { facts } = report;
  return facts === undefined
    ? report
    : { ...report, facts: readMade('report.facts', facts, 'format', 'inspectMedia') };
}

/** A step of sharp: the name of a method and its arguments, in the order in which they are called. */
export type SharpStep = readonly [method: string, ...given: readonly unknown[]];

/** What mends a file in one go, as plain data. */
export type MediaJob = (
  | {
      /** ffmpeg 5.1 or newer. */
      readonly tool: 'ffmpeg';
      /** Its arguments between input and output, with one `-vf` at most. Each is one argument: nothing is quoted. */
      readonly args: readonly string[];
    }
  | { readonly tool: 'sharp'; readonly args: readonly SharpStep[] }
  // Nothing that a tool can mend.
  | { readonly tool?: undefined; readonly args: readonly [] }
) & {
  /** What stays as it is: nothing mends it, or only a person, or the platform changes it by itself. */
  readonly left: readonly MediaFinding[];
};

/** Options of {@link mend}. */
export interface MendOptions {
  /**
   * Whether what the platform would change by itself is changed too: bars where it would crop, its size, its colours.
   * @default false
   */
  readonly changes?: boolean | undefined;
}

/**
 * Joins what mends the findings of a file into one job, which encodes it once at most: what is refused or at risk. Run it,
 * and check what comes out: a header does not tell everything. `pagepics check --mend` does both.
 *
 * Throws a ConfigurationError for an option that there is not, and for what is no report, such as a Result.
 *
 * A job of ffmpeg writes MP4 (of pictures, JPEG; of sounds, M4A), whatever the output is called. Of a PNG, WebP or TIFF
 * that its EXIF turns, ffmpeg 8 and newer need `-noautorotate` before the input: the job turns it itself.
 *
 * @example
 * const check = await checkMedia('./clip.mov', { kind: 'page.reel' });
 * if (check.isOk()) {
 *   const { tool, args, left } = mend(check.value);
 *   if (tool === 'ffmpeg') console.log(['ffmpeg', '-i', './clip.mov', ...args, './clip.mp4']);
 *   for (const { message } of left) console.log(message);
 * }
 */
export function mend(report: MediaReport, options: MendOptions = {}): MediaJob {
  const { changes = false } = checkMendOptions(options);
  const { kind, facts, findings } = readReport(report);
  if (!facts) return { args: [], left: findings };
  const isWanted = ({ severity }: MediaFinding): boolean => severity !== 'changed' || changes;
  const isMended = (finding: MediaFinding): boolean => isWanted(finding) && finding.fix !== undefined;
  const first = findings.filter(isMended);
  const all = [...first];
  let later: readonly MediaFinding[] = [];
  // What is refused for its format was not judged further, and another size is judged anew.
  for (let more = first; more.length > 0; all.push(...more)) {
    later = judgeMedia(afterFix(joined(all), facts), kind).filter((finding) => isNew(finding, findings));
    more = later.filter((finding) => isMended(finding) && isNew(finding, all));
  }
  const fix = joined(all);
  // What the platform changes by itself is told of the file as it is.
  const asIs = fix.format ? judgeMedia(afterFix({ format: fix.format }, facts), kind) : [];
  const more = [...asIs, ...later.filter(({ severity }) => severity !== 'changed')].filter(
    (finding, at, list) => isNew(finding, [...findings, ...list.slice(0, at)]),
  );
  const left = [...findings, ...more].filter((finding) => !isMended(finding));
  if (all.length === 0) return { args: [], left };
  const target = fix.format ?? (facts.kind === 'image' ? 'jpeg' : facts.kind === 'audio' ? 'm4a' : 'mp4');
  if (target === 'm4a')
    return {
      tool: 'ffmpeg',
      args: ['-vn', ...soundOf({ soundCodec: 'aac', ...fix }, facts), '-f', 'mp4'],
      left,
    };
  if (target === 'jpeg')
    return /^(?:bmp|jxl)$/.test(facts.format)
      ? { tool: 'ffmpeg', args: pictureArguments(fix, facts), left }
      : { tool: 'sharp', args: sharpSteps(fix, facts), left };
  const isUnknown = facts.kind === 'video' ? !facts.video : facts.image?.isAnimated === true;
  const isKnownThen = isUnknown || facts.kind === 'image';
  return {
    tool: 'ffmpeg',
    args: videoArguments(isUnknown ? joined([...boundsOf(kind, facts), ...all]) : fix, facts),
    // Once it is encoded, all is known.
    left: isKnownThen ? left.filter(({ severity }) => severity !== 'unknown') : left,
  };
}

/** Whether none of these findings is by the same rule, perhaps about another size. */
function isNew({ property, rule }: MediaFinding, findings: readonly MediaFinding[]): boolean {
  return findings.every((one) => one.property !== property || one.rule !== rule);
}

/** The facts of a file once it has its format and its size, as far as these are all that changes. */
function afterFix(fix: MediaFix, facts: MediaFacts): MediaFacts {
  const { format, maxBytes = Infinity } = fix;
  const isVideo = facts.kind === 'video' || format === 'mp4';
  const size = isVideo ? targetOf(fix, facts)?.canvas : pictureSize(fix, facts);
  const sized: MediaFacts = {
    ...facts,
    ...(size && { ...size, stored: size, rotation: 0 }),
    size: Math.min(facts.size, maxBytes),
  };
  if (!format) return sized;
  if (format !== 'mp4' || facts.kind !== 'image')
    return { ...sized, format, ...(format === 'mp4' && { kind: 'video', moov: 'front' }) };
  const { image, ...rest } = sized;
  return {
    ...rest,
    kind: 'video',
    format,
    // Of an animation, neither is known.
    ...(!image?.isAnimated && { durationMs: stillMs, frameRate: { average: 30, isVariable: false } }),
  };
}

/** What the rules of a kind ask of a video that is not known: fixes that do nothing to one that keeps to them. */
function boundsOf(kind: MediaKind, facts: MediaFacts): readonly Pick<MediaFinding, 'fix'>[] {
  return mediaRules.flatMap(([severity, kinds, [property, , , mends]]) => {
    const mended = typeof mends === 'function' ? mends(knownOf(facts)) : mends;
    const fix = typeof mended === 'string' ? undefined : mended[1];
    const isBound = /^(?:aspect_ratio|resolution|duration|frame_rate)$/.test(property);
    return isBound && severity !== 'changed' && kinds.includes(kind) && typeof fix === 'object'
      ? { fix }
      : [];
  });
}

type Range = readonly [number, number];

/** One fix for all of them: the narrowest of each. */
function joined(findings: readonly Pick<MediaFinding, 'fix'>[]): MediaFix {
  return findings.reduce<MediaFix>((all, { fix = {} }) => {
    const least = (
      name: 'longest' | 'maxMs' | 'maxBytes' | 'maxBitRate' | 'sampleRate' | 'channels',
    ): object => {
      const value = Math.min(all[name] ?? Infinity, fix[name] ?? Infinity);
      return value < Infinity ? { [name]: value } : {};
    };
    const narrow = (name: 'ratio' | 'width' | 'frameRate'): object => {
      const [one, other] = [all[name], fix[name]];
      if (!one || !other) return {};
      const [from, to] = [Math.max(one[0], other[0]), Math.min(one[1], other[1])];
      return { [name]: [Math.min(from, to), to] };
    };
    return {
      ...all,
      ...fix,
      ...least('longest'),
      ...least('maxMs'),
      ...least('maxBytes'),
      ...least('maxBitRate'),
      ...least('sampleRate'),
      ...least('channels'),
      ...narrow('ratio'),
      ...narrow('width'),
      ...narrow('frameRate'),
      // What is refused stands first, and says how.
      ...(all.fit && { fit: all.fit }),
    };
  }, {});
}

/** For how long a picture is shown that becomes a video. */
const stillMs = 5000;
const soundRate = 128;

/** What AAC has of the rates that are taken: ffmpeg chooses the nearest, and mixes what has more channels than two. */
const soundFilter =
  'aformat=sample_rates=48000|44100|32000|24000|22050|16000|12000|11025|8000:channel_layouts=mono|stereo';

/** Kilobits a second of the sound: as it was, as far as that can be told, and what it may have of so many bytes. */
function soundRates(
  { format, maxBytes = Infinity, maxMs = Infinity }: MediaFix,
  { kind, size, durationMs, bitRate }: MediaFacts,
): readonly [was: number, most: number] {
  const was = bitRate && durationMs ? (size * 8) / durationMs - bitRate / 1000 : soundRate;
  const isAlone = kind === 'audio' || format === 'm4a';
  const lasts = Math.min(durationMs ?? Infinity, maxMs);
  // How long a sound lasts is not told: at half the rate, 25 MB have room for 50 minutes.
  const room = lasts < Infinity ? (maxBytes * 7.6) / lasts : isAlone ? soundRate / 2 : Infinity;
  return [was, maxBytes < Infinity ? Math.min(soundRate, isAlone ? room : room / 3) : soundRate];
}

/** The encoder of the sound. */
function soundOf(fix: MediaFix, facts: MediaFacts): string[] {
  const { sampleRate, channels, soundCodec } = fix;
  const { kind, video, audio } = facts;
  const [was, most] = soundRates(fix, facts);
  // No more than there was; other codecs need fewer bits.
  const kilobits = Math.max(8, Math.floor(Math.min(most, Math.max(64, was * (soundCodec ? 1.3 : 1)))));
  return [
    ...(kind === 'video' && !video && !audio ? ['-af', soundFilter] : []),
    ...`-c:a aac -b:a ${kilobits}k`.split(' '),
    ...(sampleRate ? ['-ar', `${sampleRate}`] : []),
    ...(channels ? ['-ac', `${channels}`] : []),
  ];
}

function isStillPicture({ kind, image }: MediaFacts): boolean {
  return kind === 'image' && !image?.isAnimated;
}

function seconds(ms: number): string {
  return `${ms / 1000}`;
}

/** The formats whose index is read here. */
const isRead = /^(?:mp4|mov|3gp)$/;

/** A video out of a video or a picture. */
function videoArguments(fix: MediaFix, facts: MediaFacts): readonly string[] {
  const { kind, video, audio, format, moov, editList } = facts;
  const isStill = isStillPicture(facts);
  const fits = /^(?:h264|hevc|vp9|av1)$/.test(video?.codec ?? '') && !video?.otherCodecs;
  const { encode, edits, deinterlace, toneMap, crop, ratio, sides, width, longest, frameRate } = fix;
  const isAnew = [encode, edits, deinterlace, toneMap, crop, ratio, sides, width, longest, frameRate].some(
    Boolean,
  );
  const isEncoded = isAnew || !fits || !!fix.maxBytes || !!fix.maxBitRate;
  const [was, most] = soundRates(fix, facts);
  const isSoundKept =
    audio?.codec === 'aac' &&
    !edits &&
    !fix.sampleRate &&
    !fix.channels &&
    !fix.soundCodec &&
    (!fix.maxBytes || was <= most);
  // Eight bits have no room for a high dynamic range.
  const picture = bright.test(video?.transfer ?? '') ? { ...fix, toneMap: true as const } : fix;
  const maxMs = isStill ? stillMs : fix.maxMs;
  const hasSound = kind !== 'image' && (audio !== undefined || !video);
  return [
    ...(isEncoded
      ? ['-vf', filtersOf(picture, facts).join(','), ...encoderOf(picture, facts)]
      : ['-c:v', 'copy']),
    ...(hasSound ? (isSoundKept ? ['-c:a', 'copy'] : soundOf(fix, facts)) : []),
    ...(maxMs ? ['-t', seconds(maxMs)] : []),
    // Of other containers, these are what MP4 cannot hold.
    ...(video && isRead.test(format) ? [] : ['-sn', '-dn']),
    // Files in parts, and other containers, whose picture comes late have it begin when it does, without a list of edits. Of
    // others, a list only skips what the decoder needs first: without one, sound would begin with a gap that players skip.
    ...(isEncoded || editList === 'harmless' || (isRead.test(format) && moov !== 'fragmented')
      ? []
      : ['-use_editlist', '0']),
    ...'-movflags +faststart -f mp4'.split(' '),
  ];
}

/** What ffmpeg does to each picture, in an order that holds: it has turned them itself. */
function filtersOf(fix: MediaFix, facts: MediaFacts): readonly string[] {
  const { kind, image: { isAnimated } = {} } = facts;
  const { crop, frameRate, edits } = fix;
  const isStill = isStillPicture(facts);
  // An animation of few pictures often has a rate of one a second, in which its times do not fit.
  const rate = rateOf(frameRate ?? (isAnimated ? [24, 60] : undefined), facts);
  return [
    ...(fix.deinterlace ? ['bwdif=mode=send_frame'] : []),
    ...(kind === 'image' ? asPainted(facts) : []),
    ...(crop ? [`crop=${partOf(crop, facts)}`] : []),
    ...sizeFilters(fix, facts),
    ...(isStill ? [`tpad=stop_mode=clone:stop_duration=${seconds(stillMs)}`, 'fps=30'] : []),
    // A picture that comes late is there from the beginning.
    ...(edits ? [`fps=${rate ?? 'source_fps'}:start_time=0`] : rate && !isStill ? [`fps=${rate}`] : []),
    ...(fix.toneMap
      ? [
          'zscale=t=linear:npl=100',
          'format=gbrpf32le',
          'zscale=p=bt709',
          'tonemap=hable:desat=0',
          'zscale=t=bt709:m=bt709:r=tv',
        ]
      : kind === 'image'
        ? ['scale=out_color_matrix=bt709:out_range=tv']
        : []),
    'format=yuv420p',
  ];
}

/** A part, as it lies in the picture that ffmpeg has turned. Where ffmpeg, from 7.1 on, has cropped it too, that is all of it. */
function partOf(crop: MediaPart, { rotation = 0, stored }: MediaFacts): string {
  const { width, height, left, top } = crop;
  const size = (rotation % 180 ? [height, width] : [width, height]).map(even).join(':');
  if (left === undefined || top === undefined || !stored) return size;
  const [right, bottom] = [stored.width - width - left, stored.height - height - top];
  const places = [
    [left, top],
    [bottom, left],
    [right, bottom],
    [top, right],
  ];
  return [size, ...(places[rotation / 90] ?? []).map((place) => Math.max(0, place))].join(':');
}

/** A picture as it is shown: white where it is transparent, and turned, which ffmpeg does of JPEG only. */
function asPainted({ format, image, width = 1, height = 1 }: MediaFacts): readonly string[] {
  const isOpaque = format === 'jpeg';
  const { orientation = 1 } = image ?? {};
  // Where it is not square, one that ffmpeg has turned is left.
  const keeps = width < height ? ':passthrough=portrait' : width > height ? ':passthrough=landscape' : '';
  const turn = (way: string): string => `transpose=${way}${keeps}`;
  const turns = [
    [],
    ['hflip'],
    ['hflip', 'vflip'],
    ['vflip'],
    [turn('cclock_flip')],
    [turn('clock')],
    [turn('clock_flip')],
    [turn('cclock')],
  ];
  return [
    // Of a negative, what is transparent becomes black. `overlay` would end with the last picture, and not after it.
    ...(isOpaque ? [] : ['format=gbrap', 'negate', 'premultiply=inplace=1', 'negate']),
    ...(format === 'jpeg' ? [] : (turns[orientation - 1] ?? [])),
  ];
}

/** How many pictures a second, if it is another number than now. */
function rateOf(range: Range | undefined, { frameRate }: MediaFacts): string | undefined {
  if (!range) return undefined;
  const [least, most] = range;
  if (!frameRate) return `'max(${least},min(${most},source_fps))'`;
  const { average } = frameRate;
  // One that is nearly right becomes what it nearly is; others keep the rhythm of their pictures.
  if (average > least * 0.97 && average < least) return `${least}`;
  const times = Math.ceil(least / average);
  const by = Math.ceil(average / (most * 1.005));
  const rate = average < least ? average * times : average / by;
  const isRight = rate >= least && rate <= most * 1.005;
  return `${isRight ? Math.round(rate * 1000) / 1000 : average < least ? Math.min(most, 30) : most}`;
}

function even(pixels: number): number {
  return pixels - (pixels % 2);
}

/** The size as it is shown, after the pixels are square. */
function shownSize(
  { crop }: MediaFix,
  { rotation = 0, stored, width, height }: MediaFacts,
): MediaSize | undefined {
  if (!width || !height) return undefined;
  if (!crop || !stored) return { width, height };
  const isTurned = rotation % 180 > 0;
  const aspect = (width * height) / (stored.width * stored.height);
  const [w, h] = [crop.width * aspect, crop.height].map(Math.round);
  return isTurned ? { width: h ?? 1, height: w ?? 1 } : { width: w ?? 1, height: h ?? 1 };
}

/** Where bars are added: those of full HD, and no more than the picture is worth. */
const canvasWidth = 1080;

/** The even size that is nearest to this one, of those that fit; the usual ratios exactly. */
function evenSize({ width, height }: MediaSize, fits: (size: MediaSize) => boolean): MediaSize {
  const isWide = width > height;
  const ratio = isWide ? width / height : height / width;
  // 18 x 32 is the smallest of even sides that is 9:16.
  const unit = Math.max(1, Math.round(Math.min(width, height) / 18));
  const usual = [unit, unit + 1].map((times) =>
    isWide ? { width: times * 32, height: times * 18 } : { width: times * 18, height: times * 32 },
  );
  const nearest = (side: number, more: number): number => Math.max(2, Math.round(side / 2) * 2 + more);
  const near = steps.map(([x, y]) => ({ width: nearest(width, x), height: nearest(height, y) }));
  const [first] = near;
  return (
    [...(Math.abs(ratio / (16 / 9) - 1) < 0.006 ? usual : []), ...near].find(fits) ??
    first ?? { width, height }
  );
}

/** The ways to a size nearby, the shortest first. */
const steps = [0, -2, 2, -4, 4]
  .flatMap((x, _, all) => all.map((y) => [x, y] as const))
  .toSorted(([a, b], [c, d]) => Math.abs(a) + Math.abs(b) - Math.abs(c) - Math.abs(d));

/** What a video has after it is cropped or gets bars, and is scaled. */
function targetOf(
  fix: MediaFix,
  facts: MediaFacts,
): { canvas: MediaSize; part: MediaSize; shown: MediaSize; isPadded: boolean } | undefined {
  const shown = shownSize(fix, facts);
  if (!shown) return undefined;
  const {
    ratio: [least, most] = [0, Infinity],
    fit,
    sides = [0, 0],
    longest = Infinity,
    width: [narrow, broad] = [0, Infinity],
  } = fix;
  const now = shown.width / shown.height;
  const to = Math.min(Math.max(now, least), most);
  // What is nearly right is scaled to it: nobody sees the difference.
  const isOff = Math.abs(now / to - 1) > 0.006;
  const isPadded = isOff && fit === 'pad';
  const part = isOff && !isPadded ? cropInto(shown, [least, most]) : shown;
  const around =
    part !== shown
      ? part
      : now < to
        ? { width: part.height * to, height: part.height }
        : { width: part.width, height: part.width / to };
  const [short, long] = [Math.min(around.width, around.height), Math.max(around.width, around.height)];
  const up = Math.max(sides[0] / short, sides[1] / long, narrow / around.width, 1);
  const down = Math.min(longest / long, broad / around.width, isPadded ? canvasWidth / short : Infinity, 1);
  const by = up > 1 ? up : down;
  const fits = ({ width, height }: MediaSize): boolean =>
    width >= least * height &&
    width <= most * height &&
    Math.min(width, height) >= sides[0] &&
    Math.max(width, height) >= sides[1] &&
    Math.max(width, height) <= longest &&
    width >= narrow &&
    width <= broad;
  const same = { width: even(part.width), height: even(part.height) };
  const isKept = !isPadded && by === 1 && fits(same);
  const exact = by === 1 && part !== shown ? same : { width: around.width * by, height: around.height * by };
  const canvas = isKept ? same : evenSize(exact, fits);
  return { canvas, part, shown, isPadded };
}

/** Square pixels first, and what a size needs then. */
function sizeFilters(fix: MediaFix, facts: MediaFacts): readonly string[] {
  const target = targetOf(fix, facts);
  if (!target) return ['scale=iw*sar:ih', 'setsar=1', ...boundFilters(fix)];
  const { canvas, part, shown, isPadded } = target;
  const { width = 0, height = 0, stored } = facts;
  const isSquare = stored && stored.width * stored.height === width * height;
  const scaledTo = (size: MediaSize): readonly string[] => [`scale=${size.width}:${size.height}`, 'setsar=1'];
  const [size] = scaledTo(canvas);
  if (isPadded)
    return [
      ...(isSquare ? [] : scaledTo(shown)),
      `${size}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
      `pad=${canvas.width}:${canvas.height}:-1:-1`,
      'setsar=1',
    ];
  const isCropped = part !== shown;
  if (!isSquare && !isCropped) return scaledTo(canvas);
  const [less, lower] = [part.width - canvas.width, part.height - canvas.height];
  // A pixel or a few at the edges are not seen.
  const isCut = Math.min(less, lower) >= 0 && Math.max(less, lower) < 6;
  const kept = isCut ? canvas : { width: even(part.width), height: even(part.height) };
  return [
    ...(isSquare ? [] : scaledTo(shown)),
    ...(isCropped || (isCut && less + lower > 0) ? [`crop=${kept.width}:${kept.height}`] : []),
    ...(isCut ? [] : scaledTo(canvas)),
  ];
}

const units = 'ceil(max(iw/18,ih/32))';
const evenSides = 'trunc(iw/2)*2:trunc(ih/2)*2';

/** The same for a video whose size is not known: what keeps to the bounds stays as it is. */
function boundFilters({
  ratio,
  fit,
  sides,
  longest,
  width: [, broad] = [0, Infinity],
}: MediaFix): readonly string[] {
  const most = Math.min(longest ?? Infinity, broad);
  // Of one ratio, which is 9:16, the sides are so many times 18 and 32: no more than hold it, and no less than is asked for.
  if (ratio && ratio[0] === ratio[1]) {
    const held = `max(${(sides?.[0] ?? 0) / 18},min(60,${units}))`;
    return [
      `scale='18*${held}':'32*${held}':force_original_aspect_ratio=decrease:force_divisible_by=2`,
      `pad='18*${units}':'32*${units}':-1:-1`,
      'setsar=1',
    ];
  }
  const [least, greatest] = ratio ?? [0, Infinity];
  const range =
    fit === 'pad'
      ? `pad='max(iw,ceil(ih*${least}))':'max(ih,ceil(iw/${greatest}))':-1:-1`
      : `crop='min(iw,floor(ih*${greatest}))':'min(ih,floor(iw/${least}))'`;
  return [
    ...(ratio ? [range] : []),
    ...(most < Infinity
      ? [`scale='min(${most},iw)':'min(${most},ih)':force_original_aspect_ratio=decrease`, 'setsar=1']
      : []),
    ...(sides
      ? [`scale='iw*max(1,${sides[0]}/min(iw,ih))':'ih*max(1,${sides[0]}/min(iw,ih))'`, 'setsar=1']
      : []),
    `crop=${evenSides}`,
  ];
}

const bitsOfFirst = 0.15;

/** The encoder, with no more bits than the picture had, unless it grows. */
function encoderOf(fix: MediaFix, facts: MediaFacts): readonly string[] {
  const { bitRate, video, frameRate, durationMs, width = 1, height = 1, kind, audio } = facts;
  const lasts = isStillPicture(facts) ? stillMs : Math.min(durationMs ?? Infinity, fix.maxMs ?? Infinity);
  const target = targetOf(fix, facts);
  const shown = target?.isPadded
    ? Math.min(target.canvas.width / target.part.width, target.canvas.height / target.part.height) ** 2
    : target
      ? (target.canvas.width * target.canvas.height) / (width * height)
      : 1;
  const rate = Number(rateOf(fix.frameRate, facts) ?? frameRate?.average ?? 1);
  const more = Math.max(1, shown) ** 0.75 * Math.max(1, rate / (frameRate?.average ?? rate)) ** 0.5;
  // Other codecs need fewer bits.
  const own = bitRate ? bitRate * (video?.codec === 'h264' ? 1.15 : 1.3) * more : Infinity;
  const sound = audio || !video ? soundRates(fix, facts)[1] * 1000 : 0;
  const room = fix.maxBytes && lasts < Infinity ? (fix.maxBytes * 7600) / lasts - sound : Infinity;
  const held = Math.min(2, Math.max(0.25, lasts / 6000));
  // What the buffer lets through at once comes on top, the shorter the video the more of it.
  const limit = Math.min((fix.maxBitRate ?? Infinity) * 0.95, room) / (1 + (0.9 * held * 1000) / lasts);
  const most = Math.floor(Math.min(own, limit) / 1000);
  // A picture that hardly moves has nearly all of its bits in its first frame.
  const { width: w, height: h } = target?.canvas ?? { width, height };
  const buffer = Math.round(Math.max(most * held, own < limit ? (w * h * bitsOfFirst) / 1000 : 0));
  return [
    ...'-c:v libx264 -crf 20'.split(' '),
    ...(most < Infinity ? ['-maxrate', `${Math.max(1, most)}k`, '-bufsize', `${Math.max(1, buffer)}k`] : []),
    // Its numbers are of this matrix, whoever guesses it by the size.
    ...(kind === 'image' || fix.toneMap
      ? ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
      : []),
  ];
}

/** A JPEG out of a picture that sharp does not read. */
function pictureArguments(fix: MediaFix, facts: MediaFacts): readonly string[] {
  const size = pictureSize(fix, facts);
  const isPadded = fix.fit === 'pad';
  const filters = [
    ...asPainted(facts),
    ...(size
      ? [
          `scale=${size.width}:${size.height}:force_original_aspect_ratio=${isPadded ? 'decrease' : 'increase'}`,
          `${isPadded ? 'pad' : 'crop'}=${size.width}:${size.height}${isPadded ? ':-1:-1' : ''}`,
        ]
      : []),
  ];
  return [
    ...(filters.length > 0 ? ['-vf', filters.join(',')] : []),
    ...'-frames:v 1 -update 1 -q:v 3 -f image2'.split(' '),
  ];
}

/** As large as the size of a JPEG allows, even if each of its pixels is another one. */
const bytesOfPixel = 1.25;

/** The size that a picture gets, if it is another one. */
function pictureSize(fix: MediaFix, { width = 0, height = 0 }: MediaFacts): MediaSize | undefined {
  const { ratio, fit, maxBytes, longest, width: [narrow, broad] = [0, Infinity] } = fix;
  if (!width || !height) return undefined;
  if (ratio && fit === 'pad') return { width: 1080, height: 1920 };
  const inRatio = (of: MediaSize): MediaSize => {
    const is = of.width / of.height;
    if (!ratio || (is >= ratio[0] && is <= ratio[1])) return of;
    const { width: w, height: h } = cropInto(of, ratio);
    return { width: Math.max(1, w), height: Math.max(1, h) };
  };
  const { width: w, height: h } = inRatio({ width, height });
  const pixels = maxBytes ? maxBytes / bytesOfPixel : Infinity;
  const by = Math.min(
    Math.sqrt(pixels / (w * h)),
    (longest ?? Infinity) / Math.max(w, h),
    // Larger ones are scaled by the platform anyway.
    maxBytes ? 2048 / Math.max(w, h) : Infinity,
    broad / w,
    Math.max(1, narrow / w),
  );
  const scaled = (side: number): number =>
    Math.max(1, by > 1 ? Math.ceil(side * by - 1e-6) : Math.floor(side * by + 1e-6));
  // Rounding must not take it out of the ratio again.
  const size = inRatio({ width: scaled(w), height: scaled(h) });
  return size.width === width && size.height === height ? undefined : size;
}

/** A JPEG in sRGB: turned by its EXIF, and white where it is transparent. */
function sharpSteps(fix: MediaFix, facts: MediaFacts): readonly SharpStep[] {
  const size = pictureSize(fix, facts);
  const fit = fix.fit === 'pad' ? { fit: 'contain', background: '#000000' } : { fit: 'cover' };
  return [
    ['rotate'],
    ...(size ? [['resize', { ...size, ...fit }] as const] : []),
    ['flatten', { background: '#ffffff' }],
    ['toColourspace', 'srgb'],
    ['jpeg', { quality: 85, mozjpeg: true }],
  ];
}
