/**
 * The limits that the platform documents for texts. A character is a code point: an emoji can be several.
 *
 * What the functions check before they send is marked so; all else is left to the platform, whose count decides.
 *
 * Source: platform guides, Send Messages, Message Templates, Content Publishing.
 */
export const textLimits = {
  /** Pages. */
  page: {
    /** The text of `sendMessage` and `privateReply`; checked. `splitMessage` keeps within it. */
    message: { characters: 2000 },
    /** The `metadata` of `sendMessage`; checked. */
    metadata: { characters: 1000 },
    /** The text of a post. Unverified: documented in no source, seen in programs of others. */
    post: { characters: 63_206 },
  },
  /** Photo-sharing accounts. */
  pics: {
    /** The text of `sendMessage` and `privateReply`, in UTF-8; checked. `splitMessage` keeps within it. */
    message: { bytes: 1000 },
    /** The caption of a post. */
    caption: { characters: 2200, hashtags: 30, mentions: 20 },
    /** A description for people who cannot see an image. */
    altText: { characters: 1000 },
    /** A comment or a reply. Unverified: the documentation of an older version. */
    comment: { characters: 300, hashtags: 4, links: 1 },
  },
  /** Templates and what people can tap, in the inboxes of both. */
  template: {
    /** The text of a template with buttons; checked. */
    text: { characters: 640 },
    /** The title and the subtitle of an element. */
    title: { characters: 80 },
    /** The title of a button or a quick reply. The platform cuts longer ones. */
    button: { characters: 20 },
    /** What is returned when it is tapped. */
    payload: { characters: 1000 },
  },
} as const;
