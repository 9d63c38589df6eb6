/** A reply that the person can tap, shown below a text. Not shown on the web. */
export interface QuickReply {
  /** The platform truncates it after 20 characters. */
  readonly title: string;
  /** Returned in the message event when it is tapped. At most 1000 characters. */
  readonly payload: string;
  /** Public address of an icon. */
  readonly imageUrl?: string | undefined;
}

/** Kinds of files. In photo-sharing, a `file` must be a PDF. */
export type AttachmentType = 'image' | 'video' | 'audio' | 'file';

/** A file to send: at a public address, or uploaded before. */
export type Attachment =
  | {
      readonly type: AttachmentType;
      /** Fetched by the platform during the call: an image up to 8 MB, others up to 25 MB. */
      readonly url: string;
      readonly attachmentId?: undefined;
    }
  | {
      readonly type: AttachmentType;
      /** The id that `uploadAttachment` returned, valid for 90 days. */
      readonly attachmentId: string;
      readonly url?: undefined;
    };

/** A button that opens an address. */
export interface WebUrlButton {
  readonly type: 'web_url';
  readonly url: string;
  /** The platform truncates it after 20 characters. */
  readonly title: string;
  /** Page inboxes only. */
  readonly webview_height_ratio?: 'compact' | 'tall' | 'full' | undefined;
}

/** A button that returns its payload in a postback event. */
export interface PostbackButton {
  readonly type: 'postback';
  /** The platform truncates it after 20 characters. */
  readonly title: string;
  /** At most 1000 characters. */
  readonly payload: string;
}

/** A button that calls the number in its payload, such as `+4930123456`. */
export interface PhoneNumberButton {
  readonly type: 'phone_number';
  readonly title: string;
  readonly payload: string;
}

/** A button that links the person's account with yours. The platform sets its title. */
export interface AccountLinkButton {
  readonly type: 'account_link';
  readonly url: string;
}

/** Buttons that photo-sharing inboxes show. */
export type PicsButton = WebUrlButton | PostbackButton;

/** Buttons that Page inboxes show. */
export type PageButton = PicsButton | PhoneNumberButton | AccountLinkButton;

/** An element of a generic template. It needs at least one property besides its title. */
export interface TemplateElement<TButton> {
  /** At most 80 characters, like the subtitle. */
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly image_url?: string | undefined;
  /** What opens when the element is tapped. */
  readonly default_action?: Omit<WebUrlButton, 'title'> | undefined;
  /** 1 to 3. */
  readonly buttons?: readonly TButton[] | undefined;
}

/** A structured message. Photo-sharing does not show it on the web. The names are the platform's. */
export type Template<TButton> =
  | {
      readonly type: 'generic';
      /** 1 to 10; several are shown as a carousel. */
      readonly elements: readonly TemplateElement<TButton>[];
    }
  | {
      readonly type: 'button';
      /** At most 640 characters. */
      readonly text: string;
      /** 1 to 3. */
      readonly buttons: readonly TButton[];
    };

/** Each kind of content excludes the fields of the others. */
interface Nothing {
  readonly text?: undefined;
  readonly quickReplies?: undefined;
  readonly attachment?: undefined;
  readonly images?: undefined;
  readonly template?: undefined;
  readonly mediaId?: undefined;
  readonly sticker?: undefined;
  readonly utility?: undefined;
}

export interface TextContent extends Omit<Nothing, 'text' | 'quickReplies'> {
  /** At most 1000 bytes of UTF-8 in photo-sharing inboxes, 2000 characters in Page inboxes. */
  readonly text: string;
  /** 1 to 13. */
  readonly quickReplies?: readonly QuickReply[] | undefined;
}

export interface AttachmentContent extends Omit<Nothing, 'attachment'> {
  readonly attachment: Attachment;
}

export interface ImagesContent extends Omit<Nothing, 'images'> {
  /** Public addresses of 2 to 10 images, fetched by the platform during the call. */
  readonly images: readonly string[];
}

export interface TemplateContent<TButton> extends Omit<Nothing, 'template'> {
  readonly template: Template<TButton>;
}

export interface MediaContent extends Omit<Nothing, 'mediaId'> {
  /** A post of the account itself. */
  readonly mediaId: string;
}

export interface StickerContent extends Omit<Nothing, 'sticker'> {
  readonly sticker: 'like_heart';
}

/** What fills a placeholder of a template, or a button. */
export type UtilityParameter =
  | {
      readonly type: 'text';
      readonly text: string;
      /** In a template with named parameters. */
      readonly parameter_name?: string | undefined;
    }
  | { readonly type: 'POSTBACK'; readonly payload: string }
  /** The end of the button's address. */
  | { readonly type: 'URL'; readonly url: string };

/** The parameters of a component of a template, in the order of its placeholders or buttons. */
export interface UtilityComponent {
  /** Such as `header`, `body` or `buttons`. */
  readonly type: string;
  readonly parameters: readonly (UtilityParameter | Readonly<Record<string, unknown>>)[];
}

/** A message from an approved template of the Page. */
export interface UtilityMessage {
  /** The name of the template. */
  readonly name: string;
  /** The language of the template, such as `en_US`. */
  readonly language: string;
  /** Only for a template with placeholders. The names are the platform's. */
  readonly components?: readonly UtilityComponent[] | undefined;
}

export interface UtilityContent extends Omit<Nothing, 'utility'> {
  /** Accepted outside the 24-hour window, too. Permission `pages_utility_messaging`. */
  readonly utility: UtilityMessage;
}

/** What a Page can reply in private: exactly one kind of content. */
export type PageContent = TextContent | AttachmentContent | ImagesContent | TemplateContent<PageButton>;

/** What a photo-sharing account can send: exactly one kind of content. */
export type PicsContent =
  | TextContent
  | AttachmentContent
  | ImagesContent
  | TemplateContent<PicsButton>
  | MediaContent
  | StickerContent;

/** What any inbox can send. */
export type MessageContent = PageContent | PicsContent | UtilityContent;
