// What a file is published as, in the groups that rules are about.
export const picsPhotos = ['pics.image', 'pics.carouselImage'] as const;
export const picsStills = [...picsPhotos, 'pics.storyImage', 'pics.cover'] as const;
export const picsLong = ['pics.reel', 'pics.storyVideo'] as const;
export const picsVideos = [...picsLong, 'pics.carouselVideo'] as const;
const picsFiles = ['pics.messageVideo', 'pics.messageAudio', 'pics.messageFile'] as const;
export const pagePhotos = ['page.photo', 'page.photoStory'] as const;
export const pageReels = ['page.reel', 'page.videoStory'] as const;
export const pageVideos = ['page.video', ...pageReels] as const;
const pageFiles = ['page.messageVideo', 'page.messageAudio', 'page.messageFile'] as const;
export const tall: Kinds = [...picsLong, ...pageReels];
export const videos: Kinds = [...picsVideos, ...pageVideos];
export const stills: Kinds = [...picsStills, ...pagePhotos];
/** What is attached to a message, but for pictures. */
export const attachments: Kinds = [...picsFiles, ...pageFiles];

/** All kinds that `judgeMedia` knows. */
export const mediaKinds = [
  ...picsStills,
  ...picsVideos,
  'pics.messageImage',
  ...picsFiles,
  ...pagePhotos,
  ...pageVideos,
  'page.thumbnail',
  'page.messageImage',
  ...pageFiles,
] as const;

/** What a file is published as, named for the function and the option that publish it. */
export type MediaKind = (typeof mediaKinds)[number];
type Kinds = readonly MediaKind[];
