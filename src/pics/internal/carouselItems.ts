import { okAsync, ResultAsync } from 'neverthrow';

import type { ConfigurationError } from '../../core/errors.ts';
import type { Params } from '../../core/http/types.ts';
import { fields, listOf, type Rule } from '../../core/options/check.ts';
import { type FileSource, fileSource, openFile } from '../../core/uploads/fileSource.ts';
import type { PicsContext } from '../context.ts';
import { encodeAddress, mediaAddress } from './mediaAddress.ts';
import type { ImageOptions, Without } from './mediaOptions.ts';
import { imageRules, postRules, refuse, thumbOffset, toImageForm } from './mediaRules.ts';

interface VideoItemOptions {
  /**
   * The frame that stands for the video: whole milliseconds from the beginning, within the video.
   * @default 0
   */
  readonly thumbOffsetMs?: number | undefined;
}

/** An image of a carousel. */
export interface CarouselImage extends ImageOptions, Without<VideoItemOptions> {
  /** Public HTTPS address of a JPEG of at most 8 MB. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
  readonly video?: undefined;
}

/** A video of a carousel, at a public address. */
export interface CarouselVideo extends VideoItemOptions, Without<ImageOptions> {
  /** Public HTTPS address of an MP4 or MOV. */
  readonly videoUrl: string;
  readonly imageUrl?: undefined;
  readonly video?: undefined;
}

/** A video of a carousel that is uploaded. */
export interface CarouselUpload extends VideoItemOptions, Without<ImageOptions> {
  /**
   * An MP4 or MOV: its bytes, or the path of its file as a string or a file URL. A file is streamed, and must not
   * change meanwhile. In login mode the platform may refuse uploads.
   */
  readonly video: FileSource;
  readonly imageUrl?: undefined;
  readonly videoUrl?: undefined;
}

export type CarouselItem = CarouselImage | CarouselVideo | CarouselUpload;

export const mostItems = 10;

/** Names of the options that an item has, and a carousel lacks. */
export const itemOptions = { altText: 0, userTags: 0, productTags: 0, thumbOffsetMs: 0 };

/** The rule for `imageUrls`, the first ten of which are taken. */
export const imageList: Rule = (value) => images(Array.isArray(value) ? value.slice(0, mostItems) : value);

const images = listOf(mediaAddress, 2, mostItems);

/** The rule for `items`: each has the options of its kind, and none of those of the carousel. */
export function itemList(context: PicsContext): Rule {
  const post = refuse(postRules, 'the carousel');
  const images = imageRules(context);
  const image = fields({
    ...post,
    ...refuse({ thumbOffsetMs: 0 }, 'videos'),
    ...images,
    imageUrl: mediaAddress,
  });
  const video = { ...post, ...refuse({ imageUrl: 0, ...images }, 'images'), thumbOffsetMs: thumbOffset };
  const hosted = fields({ ...video, ...refuse({ video: 0 }, 'uploads'), videoUrl: mediaAddress });
  const uploaded = fields({ ...video, video: fileSource('videoUrl') });
  const item: Rule = (value) => {
    const { videoUrl, video: file } = Object(value) as Partial<CarouselItem>;
    return (videoUrl !== undefined ? hosted : file !== undefined ? uploaded : image)(value);
  };
  return listOf(item, 2, mostItems);
}

/** An item as parameters of its container. */
export function toItemForm(item: CarouselItem): Params {
  const { videoUrl } = item;
  return {
    is_carousel_item: true,
    ...(item.imageUrl === undefined
      ? {
          media_type: 'VIDEO',
          video_url: videoUrl && encodeAddress(videoUrl),
          thumb_offset: item.thumbOffsetMs,
        }
      : toImageForm(item.imageUrl, item)),
  };
}

/** Opens the files of items, before anything is sent. */
export function openItems(
  items: readonly CarouselItem[],
): ResultAsync<(Blob | undefined)[], ConfigurationError> {
  return ResultAsync.combine(
    items.map(({ video }, at) =>
      video === undefined ? okAsync(undefined) : openFile(video, 'items', `items[${at}].video`),
    ),
  );
}
