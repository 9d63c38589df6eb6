// What options in a sandbox are made of.
import type { Result, ResultAsync } from 'neverthrow';

import { type AnySdkError, type Context, post } from '../../src/core/index.ts';
import { publishPost } from '../../src/page/index.ts';
import type { Sandbox, SandboxAccount, SandboxPage } from '../../src/sandbox/index.ts';
import type { Person, Scene, Spot } from './table.ts';

export const redirectUri = 'https://app.example/callback';
export const videoUrl = 'https://cdn.example/a.mp4';
/** Some twenty days ahead, and the same in every process. */
export const soon = (Math.floor(Date.now() / 86_400_000) + 20) * 86_400;

/** The address of a file that is known by its text. */
export const image = (message: string): string => `https://example.com/${encodeURIComponent(message)}.jpg`;

/** A file that is known by its text. */
export const fileOf = (message: string): Uint8Array<ArrayBuffer> =>
  // The head of a photo, since the platform takes no text for one.
  new Uint8Array([0xff, 0xd8, 0xff, ...new TextEncoder().encode(message.padEnd(3000))]);

interface OnPage {
  readonly pageId: string;
  readonly pageToken: string;
}

export function onPage({ page, pageToken }: Spot): OnPage {
  return { pageId: page.id, pageToken };
}

export function onPost({ page, pageToken }: Spot): { readonly postId: string; readonly pageToken: string } {
  return { postId: page.postIds[0] ?? '', pageToken };
}

export function onObject({ page, pageToken }: Spot): {
  readonly objectId: string;
  readonly pageToken: string;
} {
  return { objectId: page.postIds[0] ?? '', pageToken };
}

export function onComment({ page, pageToken }: Spot): {
  readonly commentId: string;
  readonly pageToken: string;
} {
  return { commentId: page.commentIds[0] ?? '', pageToken };
}

/** Who may be written to. */
export function customer({ contacts }: Pick<SandboxPage | SandboxAccount, 'contacts'>): string {
  return contacts.find(({ inWindow }) => inWindow)?.id ?? '';
}

export function toCustomer(at: Spot): OnPage & { readonly recipientId: string } {
  return { ...onPage(at), recipientId: customer(at.page) };
}

export function onMedium({ account, token }: Spot): { readonly mediaId: string; readonly token: string } {
  return { mediaId: account.mediaIds[0] ?? '', token };
}

export function underMedium({ account, token }: Spot): {
  readonly commentId: string;
  readonly token: string;
} {
  return { commentId: account.commentIds[0] ?? '', token };
}

export function inInbox({ inbox, account }: Spot): Spot['inbox'] & { readonly recipientId: string } {
  return { ...inbox, recipientId: customer(account) };
}

/** The account, which page mode names. */
export function inPageMode({ token, page }: Spot): { readonly token: string; readonly picsUserId: string } {
  return { token, picsUserId: page.picsId };
}

/** The id that a call made. */
export async function idOf(made: ResultAsync<object, AnySdkError>, name = 'id'): Promise<string> {
  return (await made.map((value) => (value as Readonly<Record<string, string>>)[name] ?? ''))._unsafeUnwrap();
}

/** The code of a login. */
export async function codeOf(
  { sandbox }: Scene<Context>,
  address: Result<string, AnySdkError>,
): Promise<string> {
  const callback = await sandbox.authorize(address._unsafeUnwrap());
  return callback.searchParams.get('code') ?? 'no code';
}

/** A media of somebody else whose caption mentions the account. */
export function mentioning({ sandbox }: { readonly sandbox: Sandbox }): string {
  return sandbox.addMedia({ by: 'ada', caption: `Great coffee, @${sandbox.account.username}!` });
}

/** A container that an earlier call left behind. */
export function leftContainer({ context, at: { own, token } }: Scene<Context>): Promise<string> {
  const data = { image_url: image('made before') };
  return idOf(post<object>(context, `${own.picsUserId ?? 'me'}/media`, { token, data }));
}

/** What a customer of the account, or of the Page, wrote. */
export function received(inbox: 'page' | 'account') {
  return ({ sandbox, at }: Pick<Scene<Context>, 'sandbox' | 'at'>): string =>
    sandbox.receiveMessage({ contactId: customer(at[inbox]), text: at.message });
}

export function isNotEmpty(value: object): boolean {
  return Object.keys(value).length > 0;
}

// Strangers, who write the same as a call.

export async function visitorPost({ sandbox, at: { page, message } }: Person): Promise<string> {
  return sandbox.happen({ kind: 'post', pageId: page.id, message });
}

export async function pagePost({ context, at }: Person): Promise<string> {
  return idOf(publishPost(context, { ...onPage(at), message: at.message }));
}

export function commentOn(on: (at: Spot) => string | undefined): (person: Person) => Promise<string> {
  return async ({ sandbox, at }) =>
    sandbox.happen({ kind: 'comment', on: on(at) ?? '', message: at.message });
}

export function messageTo(inbox: 'page' | 'account'): (person: Person) => Promise<string> {
  return async (person) => received(inbox)(person);
}
