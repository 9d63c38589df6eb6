import type { Effect, EffectKind } from './types.ts';

/** Each kind of effect: whether it publishes something, which other people see, and which cannot be undone. */
const publishes = {
  app_subscribe: false,
  app_unsubscribe: false,
  attachment: false,
  block: false,
  captions: false,
  collaborator: false,
  comment: true,
  comment_hide: false,
  comment_toggle: false,
  comment_update: false,
  container: false,
  delete: false,
  hide: false,
  invite_answer: false,
  like: false,
  media: true,
  message: true,
  persona: false,
  photo: true,
  photo_story: true,
  post: true,
  post_update: false,
  // Its `message` does.
  private_reply: false,
  product_tags: false,
  profile: false,
  reaction: false,
  reel: true,
  reply: true,
  revoke: false,
  sender_action: false,
  subscribe: false,
  template: false,
  test_lead: false,
  thread_control: false,
  thumbnail: false,
  unblock: false,
  unsubscribe: false,
  upload: false,
  video: true,
  video_session: false,
  video_story: true,
} as const satisfies Readonly<Record<EffectKind, boolean>>;

export const effectKinds: readonly string[] = Object.keys(publishes);

/** What can be published. A private reply is a `message`. */
export type PublishedKind = {
  [TKind in EffectKind]: (typeof publishes)[TKind] extends true ? TKind : never;
}[EffectKind];

export const publishedKinds: readonly string[] = Object.entries(publishes).flatMap(([kind, does]) =>
  does ? [kind] : [],
);

/** Whether an effect is something that other people see: no draft, nothing that is scheduled or kept unpublished. */
export function isPublic({ kind, content: { published, state } }: Effect): boolean {
  return publishes[kind] && published !== false && (state === undefined || state === 'PUBLISHED');
}

/** Whether it is something that other people will see. */
export function isScheduled({ kind, content: { scheduledAt } }: Effect): boolean {
  return publishes[kind] && scheduledAt !== undefined;
}
