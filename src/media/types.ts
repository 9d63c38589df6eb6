import type { MediaProperty as RefusedProperty } from '../core/codes.ts';
import type { ConfigurationError, TransportError } from '../core/errors.ts';
import type { MediaKind } from './kinds.ts';

export { type MediaKind, mediaKinds } from './kinds.ts';

/** The kinds of pictures, which `judgeImage` knows. */
export type ImageKind = Extract<
  MediaKind,
  `${string}${'mage' | 'photo' | 'photoStory' | 'cover' | 'thumbnail'}`
>;

/** The format of a file, as its first bytes tell it: its name and its `Content-Type` count for nothing. */
export type MediaFormat =
  | 'mp4'
  | 'mov'
  | '3gp'
  | 'matroska'
  | 'webm'
  | 'mpegts'
  | 'mpegps'
  | 'avi'
  | 'flv'
  | 'asf'
  | 'ogg'
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'heic'
  | 'avif'
  | 'tiff'
  | 'bmp'
  | 'jxl'
  | 'm4a'
  | 'mp3'
  | 'aac'
  | 'wav'
  | 'amr'
  | 'flac'
  | 'aiff'
  | 'caf'
  | 'pdf'
  | 'html'
  | 'unknown';

/** Width and height in pixels. */
export interface MediaSize {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture. Where it does not say where it lies, it is the middle. */
export interface MediaPart extends MediaSize {
  /** Pixels from the left side of the picture. */
  readonly left?: number;
  /** Pixels from its top. */
  readonly top?: number;
}

/** The picture of a video. What the header does not tell is absent. */
export interface VideoFacts {
  /** `h264`, `hevc`, `av1`, `vp9`, `vp8`, `prores`, `mpeg4`, `h263`, `mjpeg`; of others, the entry. */
  readonly codec: string;
  /** The four characters that name the codec in the file, such as `avc1`, `hvc1` and `hev1`. */
  readonly entry: string;
  /** The codecs of further entries of the same track, if they differ. */
  readonly otherCodecs?: readonly string[];
  /** Such as `Main`, `High` and `High 4:4:4 Predictive`. */
  readonly profile?: string;
  readonly chroma?: '4:2:0' | '4:2:2' | '4:4:4' | '4:0:0';
  readonly bitDepth?: number;
  /** `maybe_interlaced`: the stream may hold fields. Some encoders say so of frames that are not interlaced. */
  readonly scan: 'progressive' | 'maybe_interlaced' | 'unknown';
  /** `pq` and `hlg` are those of high dynamic range. */
  readonly transfer?: 'sdr' | 'pq' | 'hlg';
  /** `open`: some frame needs one that precedes the key frame before it. */
  readonly gop: 'closed' | 'open' | 'unknown';
  /** The part that the file says should be shown of the picture, as its pixels are stored. Players ignore it. */
  readonly cleanAperture?: MediaPart;
}

/** The sound of a video. */
export interface AudioFacts {
  /** `aac`, `mp3`, `pcm`, `opus`, `ac3`, `eac3`, `alac`, `flac`, `amr`; of others, the four characters of the file. */
  readonly codec: string;
  /** In hertz. */
  readonly sampleRate?: number;
  readonly channels?: number;
}

/** How often a video shows another picture. */
export interface FrameRate {
  /** Pictures per second. */
  readonly average: number;
  /** By how much the average may be off, since files tell times in whole units. */
  readonly error?: number;
  /** Whether their distances differ, by more than a lost picture here and there. */
  readonly isVariable: boolean;
}

/** What only pictures have. What the header does not tell is absent. */
export interface ImageFacts {
  /** How a JPEG is coded. */
  readonly process?: 'baseline' | 'progressive' | 'arithmetic' | 'lossless' | 'extended';
  readonly components?: number;
  /** Bits per component. */
  readonly bitDepth?: number;
  /** As EXIF has it: from 5 to 8, width and height are swapped. */
  readonly orientation: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** By the colours of the profile, not by its name. */
  readonly colour?: 'srgb' | 'display_p3' | 'adobe_rgb' | 'cmyk' | 'gray' | 'other' | 'untagged';
  /** Whether it holds several pictures of equal rank, such as the two of a stereo camera. Previews do not count. */
  readonly isMultiPicture: boolean;
  /** Whether it holds a gain map, which makes it brighter on screens that can show that. */
  readonly hasGainMap: boolean;
  /** Whether it shows several pictures, one after the other. */
  readonly isAnimated: boolean;
  /** How a JPEG was made, if its XMP says so: the last word of its `DigitalSourceType`, such as `trainedAlgorithmicMedia`. */
  readonly digitalSource?: string;
}

/** What the header of a file says. Plain data; what it does not tell is absent. */
export interface MediaFacts {
  readonly kind: 'video' | 'image' | 'audio' | 'unknown';
  readonly format: MediaFormat;
  /** In bytes. */
  readonly size: number;
  /** In pixels, as shown: the aspect of pixels, rotation and orientation are applied. */
  readonly width?: number;
  readonly height?: number;
  /** As the pixels are stored. */
  readonly stored?: MediaSize;
  /** By how many degrees the stored picture is turned clockwise before it is shown. */
  readonly rotation?: 0 | 90 | 180 | 270;
  /** Of what is shown. */
  readonly durationMs?: number;
  /** Of its pictures, from the time of the first. */
  readonly frameRate?: FrameRate;
  /** Of the picture of a video, in bits per second. */
  readonly bitRate?: number;
  /** The first video track that is shown; covers and timecodes are none. */
  readonly video?: VideoFacts;
  /** The first sound track. */
  readonly audio?: AudioFacts;
  /** Where the index of the file is: before what it describes, after it, or in parts. */
  readonly moov?: 'front' | 'end' | 'fragmented';
  /**
   * What the edit list of the shown track does. `harmless`: it skips what decoders need before the first frame, as the
   * default of most encoders does; `hides`: frames are not shown; `delays`: the picture begins late.
   */
  readonly editList?: 'none' | 'harmless' | 'hides' | 'delays' | 'complex';
  /** How much an edit list hides, or by how much it delays the picture. */
  readonly editMs?: number;
  readonly isEncrypted?: true;
  readonly image?: ImageFacts;
  /**
   * Why facts are missing that a file of this format has: it ends early, or exceeds a bound of the reader. In words
   * for people.
   */
  readonly incomplete?: string;
  /** How much of the file was read. */
  readonly bytesRead: number;
  /** In how many reads. */
  readonly requests: number;
}

/**
 * How sure it is, and how bad. `refused`: the platform refuses it. `changed`: it is accepted, then cropped, scaled or
 * converted. `risk`: documented as wrong but commonly taken, or sources disagree. `unknown`: the header cannot tell.
 */
export type MediaSeverity = 'refused' | 'changed' | 'risk' | 'unknown';

/** What a finding is about: what `error.media` of a refusal names, and more. */
export type MediaProperty =
  | RefusedProperty
  | 'animation'
  | 'audio'
  | 'bit_depth'
  | 'bit_rate'
  | 'chroma'
  | 'clean_aperture'
  | 'colour'
  | 'digital_source'
  | 'edit_list'
  | 'encryption'
  | 'gop'
  | 'items'
  | 'moov'
  | 'multi_picture'
  | 'orientation'
  | 'process'
  | 'scan'
  | 'transfer';

/**
 * The numbers of a rule, in the units of the facts: bytes, milliseconds, pixels, pictures or bits per second, hertz; a
 * ratio is the width for a height of 1. Both ends are allowed.
 */
export interface MediaLimits {
  readonly least?: number;
  readonly most?: number;
  /** Of the longer side of a picture, where `least` is of the shorter. */
  readonly longer?: number;
}

/**
 * What mends a finding, as data: what has to be so of the file that a tool writes. `mend` makes one command of the fixes
 * of a file.
 */
export interface MediaFix {
  /** A file of this format. */
  readonly format?: 'mp4' | 'm4a' | 'jpeg';
  readonly colour?: 'srgb';
  /** The picture encoded again: H.264 in 4:2:0 with 8 bits and closed groups, or a JPEG. */
  readonly encode?: true;
  /** What the edit list does, done: picture and sound encoded as they are shown, from 0. */
  readonly edits?: true;
  /** Whole frames in place of fields. */
  readonly deinterlace?: true;
  /** Standard dynamic range in place of a high one. */
  readonly toneMap?: true;
  /** This part alone, of the pixels as they are stored. */
  readonly crop?: MediaPart | undefined;
  /** Width for a height of 1, from and to. */
  readonly ratio?: readonly [least: number, most: number];
  /** How it gets that ratio: sides are cut, or bars are added. */
  readonly fit?: 'crop' | 'pad';
  /** Pixels of the shorter and of the longer side, at least. */
  readonly sides?: readonly [shorter: number, longer: number];
  /** Pixels of width, from and to. */
  readonly width?: readonly [least: number, most: number];
  /** Pixels of either side, at most. */
  readonly longest?: number;
  /** The beginning, so long. */
  readonly maxMs?: number;
  /** Pictures per second, from and to. */
  readonly frameRate?: readonly [least: number, most: number];
  /** Bytes of the file, at most. */
  readonly maxBytes?: number;
  /** Bits per second of the picture, at most. */
  readonly maxBitRate?: number;
  /** The index before what it describes. Every MP4 that is written has it there. */
  readonly index?: true;
  readonly soundCodec?: 'aac';
  /** Hertz, at most. */
  readonly sampleRate?: number;
  /** Channels, at most. */
  readonly channels?: number;
}

/** Something about a file that the platform refuses, changes or may refuse. */
export interface MediaFinding {
  /** The item of a carousel, from 0. Only `judgeCarousel` sets it. */
  readonly item?: number;
  readonly property: MediaProperty;
  readonly severity: MediaSeverity;
  /** What the file has, such as `912.4 s`. */
  readonly found: string;
  /** What the platform takes, such as `3 to 900 s`. */
  readonly rule: string;
  /** The numbers of the rule, if it has some. */
  readonly limits?: MediaLimits;
  /** For people, with figures. */
  readonly message: string;
  /** What mends it, if a tool does: `mend` takes it. */
  readonly fix?: MediaFix;
  /** What mends it in words: the same as `fix`, or what only a person can do. */
  readonly remedy?: string;
  /** The platform's code for it and the subcode, such as `352/2207026`, if it is known. */
  readonly code?: string;
  /** Where the rule is from, and when that was read. */
  readonly source: string;
}

/**
 * Reads a range of a file: `length` bytes from `offset`, or fewer where the file ends. Where it rejects, the call fails with
 * a ConfigurationError; with a `TransportError`, such as `new TransportError('network', message)`, the call fails like that.
 */
export interface MediaReader {
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly read: (offset: number, length: number, signal: AbortSignal | undefined) => PromiseLike<Uint8Array>;
}

/** A file: its bytes, a reader of ranges, or its path as a string or a file URL. Never use a path from user input. */
export type MediaSource = Uint8Array | ArrayBuffer | Blob | MediaReader | string | URL;

/** Options of {@link inspectMedia}. */
export interface InspectMediaOptions {
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How much of the file is read at most, in bytes. From 65_536 to 67_108_864.
   * @default 16_777_216
   */
  readonly maxBytes?: number | undefined;
}

/** The source or an option is wrong, the file cannot be read, or the signal was aborted. */
export type MediaFailure = ConfigurationError | TransportError;
