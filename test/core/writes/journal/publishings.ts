import type { ResultAsync } from 'neverthrow';

import type { AnySdkError } from '../../../../src/core/index.ts';
import {
  type PageContext,
  privateReply,
  publishComment,
  publishPhoto,
  publishPhotos,
  publishPhotoStory,
  publishPost,
  publishReel,
  publishVideo,
  publishVideoStory,
  replyComment,
  sendMessage,
} from '../../../../src/page/index.ts';
import {
  type PicsContext,
  privateReply as picsPrivateReply,
  publish as picsPublish,
  publishCarousel,
  publishComment as picsPublishComment,
  publishContainer,
  publishStory,
  replyComment as picsReplyComment,
  replyMention,
  sendMessage as picsSendMessage,
} from '../../../../src/pics/index.ts';
import type { EffectKind, Sandbox, SandboxAccount, SandboxPage } from '../../../../src/sandbox/index.ts';

/** A process of the caller's, as far as it publishes. */
interface Contexts {
  readonly context: PageContext;
  /** Login mode. */
  readonly pics: PicsContext;
  /** Page mode. */
  readonly viaPages: PicsContext;
}

/** Where to publish: what a sandbox has, as JSON can tell it. */
export interface Target {
  readonly page: SandboxPage & { readonly picsId: string };
  readonly account: SandboxAccount;
  /** What was made for it. */
  readonly prepared?: string | undefined;
}

/** What to publish, and under which key. */
export interface Job {
  readonly idempotencyKey: string | undefined;
  readonly message: string;
}

/** A stranger to the caller's processes, who writes the same as they do. */
interface Person extends Contexts {
  readonly sandbox: Sandbox;
  readonly target: Target;
  readonly message: string;
}

export interface Publishing {
  readonly call: (at: Contexts, target: Target, job: Job) => ResultAsync<unknown, AnySdkError>;
  /** What a person makes that looks the same, with the platform's own tools. Returns its id. */
  readonly stranger: (person: Person) => Promise<string>;
  /** Kind of its effect, and the field of the value with its id. */
  readonly kind: EffectKind;
  readonly id: string;
  /** Kinds of what it makes on the way. */
  readonly makes?: readonly EffectKind[];
  /** How many of each it makes. */
  readonly count?: number;
  /** What must be there before. Returns its id. */
  readonly prepare?: (sandbox: Sandbox) => Promise<string>;
  /** Nothing shows what became of a lost request: it stays unknown. */
  readonly isBlind?: boolean;
  /** Of a lost request, it shows what may be its effect by its kind, not by its content: that stays unknown. */
  readonly hidesContent?: boolean;
  /** Of a lost request, it shows that it took effect, but not what it made. */
  readonly hidesId?: boolean;
  /** It shows that only by refusing a second one, once the first has settled. */
  readonly isGuarded?: boolean;
  /** How many of it the platform accepts per Page and day. */
  readonly mostPerPage?: number;
}

/** Some twenty days ahead, and the same in every process. */
const soon = (Math.floor(Date.now() / 86_400_000) + 20) * 86_400;

const image = (message: string): string => `https://example.com/${encodeURIComponent(message)}.jpg`;
/** A file that is known by its text. */
export const fileOf = (message: string): Uint8Array<ArrayBuffer> =>
  // The head of a photo, since the platform takes no text for one.
  new Uint8Array([0xff, 0xd8, 0xff, ...new TextEncoder().encode(message.padEnd(3000))]);
const login = ({ account }: Target): { readonly token: string; readonly picsUserId: string } => ({
  token: account.token,
  picsUserId: account.userId,
});
const customer = ({ contacts }: Pick<SandboxPage | SandboxAccount, 'contacts'>): string =>
  contacts.find(({ inWindow }) => inWindow)?.id ?? '';
const visitorPost = async ({ sandbox, target, message }: Person): Promise<string> =>
  sandbox.happen({ kind: 'post', pageId: target.page.id, message });
const commentOn =
  (on: (target: Target) => string | undefined) =>
  async ({ sandbox, target, message }: Person): Promise<string> =>
    sandbox.happen({ kind: 'comment', on: on(target) ?? '', message });
const messageTo =
  (inbox: 'page' | 'account') =>
  async ({ sandbox, target, message }: Person): Promise<string> =>
    sandbox.receiveMessage({ contactId: customer(target[inbox]), text: message });
/** What those who run the Page or the account make. */
async function idIn(made: ResultAsync<object, AnySdkError>, name = 'id'): Promise<string> {
  return (await made.map((value) => (value as Readonly<Record<string, string>>)[name] ?? ''))._unsafeUnwrap();
}

/** Signed addresses are never the same. */
let signature = 0;
const onPage = ({ page }: Target): { readonly pageId: string; readonly pageToken: string } => ({
  pageId: page.id,
  pageToken: page.token,
});

/** A media of somebody else whose caption mentions the account. */
const mentioning = async ({ account, addMedia }: Sandbox): Promise<string> =>
  addMedia({ by: 'ada', caption: `Great coffee, @${account.username}!` });

/** Each function that publishes, by its platform and name, and the specifics of the call. */
export const publishings: Readonly<Record<string, Publishing>> = {
  'page publishPost': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPost(context, { ...onPage(target), message, idempotencyKey }),
    stranger: visitorPost,
    kind: 'post',
    id: 'id',
  },
  'page publishPost, unpublished': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPost(context, { ...onPage(target), message, published: false, idempotencyKey }),
    stranger: visitorPost,
    kind: 'post',
    id: 'id',
    isBlind: true,
  },
  'page publishPost, scheduled': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPost(context, { ...onPage(target), message, scheduledAt: soon, idempotencyKey }),
    stranger: visitorPost,
    kind: 'post',
    id: 'id',
  },
  'page publishPhotoStory': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhotoStory(context, {
        ...onPage(target),
        photoUrl: `${image(message)}?signed=${signature++}`,
        idempotencyKey,
      }),
    stranger: ({ context, target, message }) =>
      idIn(publishPhotoStory(context, { ...onPage(target), photoUrl: image(message) }), 'post_id'),
    kind: 'photo_story',
    id: 'post_id',
    makes: ['photo'],
  },
  'page replyComment': {
    call: ({ context }, { page }, { message, idempotencyKey }) =>
      replyComment(context, {
        commentId: page.commentIds[0] ?? '',
        pageToken: page.token,
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ page }) => page.commentIds[0]),
    kind: 'reply',
    id: 'id',
  },
  'page publishPhoto': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhoto(context, { ...onPage(target), photoUrl: image(message), message, idempotencyKey }),
    stranger: ({ context, target, message }) => idIn(publishPost(context, { ...onPage(target), message })),
    kind: 'photo',
    id: 'id',
  },
  'page publishPhotos': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhotos(context, {
        ...onPage(target),
        photos: [{ photoUrl: image(message) }, { photo: fileOf(message) }],
        message,
        idempotencyKey,
      }),
    stranger: ({ context, target, message }) =>
      idIn(
        publishPhotos(context, {
          ...onPage(target),
          photos: [{ photoUrl: image(message) }, { photo: fileOf(message) }],
          message,
        }),
      ),
    kind: 'post',
    id: 'id',
    makes: ['photo'],
    count: 2,
  },
  'page publishVideoStory': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideoStory(context, { ...onPage(target), video: fileOf(message), idempotencyKey }),
    stranger: ({ context, target, message }) =>
      idIn(publishVideoStory(context, { ...onPage(target), video: fileOf(message) }), 'post_id'),
    kind: 'video_story',
    id: 'post_id',
    makes: ['video_session', 'upload'],
  },
  'page publishReel': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishReel(context, {
        ...onPage(target),
        video: fileOf(message),
        description: message,
        idempotencyKey,
      }),
    stranger: ({ context, target, message }) =>
      idIn(
        publishReel(context, { ...onPage(target), video: fileOf(message), description: message }),
        'video_id',
      ),
    kind: 'reel',
    id: 'video_id',
    makes: ['video_session', 'upload'],
  },
  'page publishReel, with a thumbnail and a collaborator': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishReel(context, {
        ...onPage(target),
        video: fileOf(message),
        description: message,
        thumbnail: fileOf('thumbnail'),
        collaborators: ['404'],
        idempotencyKey,
      }),
    stranger: ({ context, target, message }) =>
      idIn(
        publishReel(context, { ...onPage(target), video: fileOf(message), description: message }),
        'video_id',
      ),
    kind: 'reel',
    id: 'video_id',
    makes: ['video_session', 'upload', 'thumbnail', 'collaborator'],
    mostPerPage: 10,
  },
  'page publishVideo': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, {
        ...onPage(target),
        video: fileOf(message),
        description: message,
        idempotencyKey,
      }),
    stranger: ({ context, target, message }) =>
      idIn(
        publishVideo(context, { ...onPage(target), video: fileOf(message), description: message }),
        'video_id',
      ),
    kind: 'video',
    id: 'video_id',
    makes: ['video_session'],
  },
  'page publishComment, with a photo': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishComment(context, {
        ...onPage(target),
        objectId: target.page.postIds[0] ?? '',
        photo: fileOf(message),
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ page }) => page.postIds[0]),
    kind: 'comment',
    id: 'id',
    makes: ['photo'],
  },
  'page publishComment': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishComment(context, {
        objectId: target.page.postIds[0] ?? '',
        pageToken: target.page.token,
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ page }) => page.postIds[0]),
    kind: 'comment',
    id: 'id',
  },
  'page sendMessage': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      sendMessage(context, {
        ...onPage(target),
        recipientId: customer(target.page),
        text: message,
        idempotencyKey,
      }),
    stranger: messageTo('page'),
    kind: 'message',
    id: 'message_id',
  },
  'page privateReply': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      privateReply(context, {
        ...onPage(target),
        commentId: target.page.commentIds[0] ?? '',
        text: message,
        idempotencyKey,
      }),
    stranger: messageTo('page'),
    kind: 'message',
    id: 'message_id',
    isGuarded: true,
  },
  'pics publish, an image': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      picsPublish(pics, { ...login(target), imageUrl: image(message), caption: message, idempotencyKey }),
    stranger: ({ viaPages, target, message }) =>
      idIn(
        picsPublish(viaPages, {
          token: target.page.token,
          picsUserId: target.page.picsId,
          imageUrl: image(message),
        }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
  },
  'pics publish, a Reel of bytes': {
    call: ({ viaPages }, { page }, { message, idempotencyKey }) =>
      picsPublish(viaPages, {
        token: page.token,
        picsUserId: page.picsId,
        video: fileOf(message),
        caption: message,
        idempotencyKey,
      }),
    stranger: ({ viaPages, target: { page } }) =>
      idIn(
        picsPublish(viaPages, { token: page.token, picsUserId: page.picsId, video: fileOf('Another one') }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
  },
  'pics publishCarousel': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      publishCarousel(pics, {
        ...login(target),
        imageUrls: [image(message), image(message)],
        caption: message,
        idempotencyKey,
      }),
    stranger: ({ viaPages, target, message }) =>
      idIn(
        picsPublish(viaPages, {
          token: target.page.token,
          picsUserId: target.page.picsId,
          imageUrl: image(message),
          caption: message,
        }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
    count: 3,
  },
  'pics publishStory, in page mode': {
    call: ({ viaPages }, { page }, { message, idempotencyKey }) =>
      publishStory(viaPages, {
        token: page.token,
        picsUserId: page.picsId,
        imageUrl: image(message),
        idempotencyKey,
      }),
    stranger: ({ viaPages, target, message }) =>
      idIn(
        publishStory(viaPages, {
          token: target.page.token,
          picsUserId: target.page.picsId,
          imageUrl: image(message),
        }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
    hidesId: true,
  },
  'pics sendMessage, an image': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      picsSendMessage(pics, {
        ...login(target),
        recipientId: customer(target.account),
        attachment: { type: 'image', url: image(message) },
        idempotencyKey,
      }),
    stranger: async ({ sandbox, target, message }) =>
      sandbox.receiveMessage({
        contactId: customer(target.account),
        attachments: [{ type: 'image', url: image(message) }],
      }),
    kind: 'message',
    id: 'message_id',
    hidesContent: true,
  },
  'pics publishComment': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      picsPublishComment(pics, {
        ...login(target),
        mediaId: target.account.mediaIds[0] ?? '',
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ account }) => account.mediaIds[0]),
    kind: 'comment',
    id: 'id',
  },
  'pics sendMessage': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      picsSendMessage(pics, {
        ...login(target),
        recipientId: customer(target.account),
        text: message,
        idempotencyKey,
      }),
    stranger: messageTo('account'),
    kind: 'message',
    id: 'message_id',
  },
  'pics replyComment': {
    call: ({ pics }, { account }, { message, idempotencyKey }) =>
      picsReplyComment(pics, {
        commentId: account.commentIds[0] ?? '',
        token: account.token,
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ account }) => account.commentIds[0]),
    kind: 'reply',
    id: 'id',
  },
  'pics replyMention': {
    call: ({ viaPages }, { page, prepared = '' }, { message, idempotencyKey }) =>
      replyMention(viaPages, {
        token: page.token,
        picsUserId: page.picsId,
        mediaId: prepared,
        message,
        idempotencyKey,
      }),
    stranger: commentOn(({ prepared }) => prepared),
    kind: 'comment',
    id: 'id',
    prepare: mentioning,
  },
  'pics replyMention, in login mode': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      replyMention(pics, { ...login(target), mediaId: target.prepared ?? '', message, idempotencyKey }),
    stranger: commentOn(({ prepared }) => prepared),
    kind: 'comment',
    id: 'id',
    prepare: mentioning,
    isBlind: true,
  },
  'pics privateReply': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      picsPrivateReply(pics, {
        ...login(target),
        commentId: target.account.commentIds[0] ?? '',
        text: message,
        idempotencyKey,
      }),
    stranger: messageTo('account'),
    kind: 'message',
    id: 'message_id',
    isGuarded: true,
  },
  'pics publishStory, in login mode': {
    call: ({ pics }, target, { message, idempotencyKey }) =>
      publishStory(pics, { ...login(target), imageUrl: image(message), idempotencyKey }),
    stranger: ({ viaPages, target: { page }, message }) =>
      idIn(
        publishStory(viaPages, {
          token: page.token,
          picsUserId: page.picsId,
          imageUrl: image(message),
        }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
    hidesId: true,
  },
  'pics publishContainer': {
    call: ({ pics }, target, { idempotencyKey }) =>
      publishContainer(pics, { ...login(target), containerId: target.prepared ?? '', idempotencyKey }),
    stranger: ({ viaPages, target, message }) =>
      idIn(
        picsPublish(viaPages, {
          token: target.page.token,
          picsUserId: target.page.picsId,
          imageUrl: image(message),
        }),
        'media_id',
      ),
    kind: 'media',
    id: 'media_id',
    prepare: async ({ platform, account, fetch }) => {
      const body = new URLSearchParams({ image_url: image('made before'), access_token: account.token });
      const made = await fetch(`${platform.picsGraphUrl}/v26.0/me/media`, { method: 'POST', body });
      return ((await made.json()) as { readonly id: string }).id;
    },
    hidesId: true,
  },
};

const stranger: Publishing['stranger'] = ({ context, target, message }) =>
  idIn(publishPost(context, { ...onPage(target), message }));
const video = { stranger, kind: 'video', id: 'video_id' } as const;
const photo = { stranger, kind: 'photo', id: 'id' } as const;

/** Further ways of some of them, whose responses name other ids, or whose effects show other things. */
export const variants: Readonly<Record<string, Publishing>> = {
  'page publishPhoto, without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhoto(context, { ...onPage(target), photoUrl: image(message), idempotencyKey }),
    ...photo,
    hidesContent: true,
  },
  'page publishPhoto, scheduled': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhoto(context, {
        ...onPage(target),
        photo: fileOf(message),
        message,
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...photo,
  },
  'page publishPhoto, scheduled without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhoto(context, {
        ...onPage(target),
        photoUrl: image(message),
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...photo,
    hidesContent: true,
  },
  'page publishPhotos, scheduled without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishPhotos(context, {
        ...onPage(target),
        photos: [{ photoUrl: image(message) }, { photo: fileOf(message) }],
        scheduledAt: soon,
        idempotencyKey,
      }),
    stranger,
    kind: 'post',
    id: 'id',
    makes: ['photo'],
    count: 2,
  },
  'page publishVideo, without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, { ...onPage(target), video: fileOf(message), idempotencyKey }),
    ...video,
    makes: ['video_session'],
  },
  'page publishVideo, scheduled': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, {
        ...onPage(target),
        video: fileOf(message),
        description: message,
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...video,
    makes: ['video_session'],
  },
  'page publishVideo, scheduled without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, {
        ...onPage(target),
        video: fileOf(message),
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...video,
    makes: ['video_session'],
  },
  'page publishVideo, by its address': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, {
        ...onPage(target),
        videoUrl: image(message),
        description: message,
        idempotencyKey,
      }),
    ...video,
  },
  'page publishVideo, by its address without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, { ...onPage(target), videoUrl: image(message), idempotencyKey }),
    ...video,
    hidesContent: true,
  },
  'page publishVideo, by its address and scheduled': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishVideo(context, {
        ...onPage(target),
        videoUrl: image(message),
        title: message,
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...video,
  },
  'page publishReel, scheduled without a text': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishReel(context, {
        ...onPage(target),
        videoUrl: image(message),
        scheduledAt: soon,
        idempotencyKey,
      }),
    ...video,
    kind: 'reel',
  },
  'page publishComment, with the address of an image': {
    call: ({ context }, target, { message, idempotencyKey }) =>
      publishComment(context, {
        ...onPage(target),
        objectId: target.page.postIds[0] ?? '',
        attachmentUrl: image(message),
        idempotencyKey,
      }),
    stranger: commentOn(({ page }) => page.postIds[0]),
    kind: 'comment',
    id: 'id',
    hidesContent: true,
  },
  'pics publish, without a caption': {
    call: ({ viaPages }, { page }, { message, idempotencyKey }) =>
      picsPublish(viaPages, {
        token: page.token,
        picsUserId: page.picsId,
        imageUrl: image(message),
        idempotencyKey,
      }),
    stranger,
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
    hidesId: true,
  },
};
