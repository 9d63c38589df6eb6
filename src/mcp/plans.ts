import { err, ok, type ResultAsync } from 'neverthrow';

import { sha256 } from '../core/digest.ts';
import type { AnySdkError, ConfigurationError } from '../core/errors.ts';
import { safeTry } from '../core/http/send.ts';
import { fieldsOf } from '../core/objects.ts';
import { toDay, toDayName } from '../core/options/days.ts';
import { journalState } from '../core/writes/journal/operators.ts';
import { checkText, textLimitsOf } from '../models/checkText.ts';
import * as page from '../page/endpoints.ts';
import * as pics from '../pics/endpoints.ts';
import type { Access, Callable, Target } from './access.ts';
import { callFor, checkFor, fault, ofAccount, ofPage, onAccount, onPage, targetOf } from './access.ts';
import { type Check, checkMediaAt, type MediaBounds, type MediaCheck, type MediaSource } from './media.ts';

/** The arguments of `plan` and `apply`. */
export interface Draft {
  readonly function: string;
  readonly pageId?: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly copy?: number | undefined;
}

export interface Session {
  readonly access: Access;
  readonly media: MediaSource;
  readonly now: () => number;
  readonly plans: Map<string, Plan>;
}

/** A plan that passed its checks. */
interface Plan {
  readonly checkedAt: number;
  /** The versions of its media, by their addresses. */
  readonly versions: ReadonlyMap<string, string>;
}

/** How long a plan can be applied for after its checks, in milliseconds. */
const planLifeMs = 900_000;
const maxPlans = 1000;

/** A function that publishes. */
interface Kind {
  readonly run: Callable;
  readonly options: readonly string[];
}

const scheduled = ['message', 'scheduledAt'];
const onPages: Readonly<Record<string, Kind>> = {
  publishPost: { run: ofPage(page.publishPost), options: [...scheduled, 'link'] },
  publishPhoto: { run: ofPage(page.publishPhoto), options: [...scheduled, 'photoUrl', 'altText'] },
  publishPhotos: { run: ofPage(page.publishPhotos), options: [...scheduled, 'photos'] },
  publishVideo: {
    run: ofPage(page.publishVideo),
    options: ['videoUrl', 'title', 'description', 'scheduledAt'],
  },
  publishReel: {
    run: ofPage(page.publishReel),
    options: ['videoUrl', 'title', 'description', 'scheduledAt'],
  },
  publishPhotoStory: { run: ofPage(page.publishPhotoStory), options: ['photoUrl'] },
  publishVideoStory: { run: ofPage(page.publishVideoStory), options: ['videoUrl'] },
  publishComment: { run: onPage(page.publishComment), options: ['objectId', 'message'] },
  replyComment: { run: onPage(page.replyComment), options: ['commentId', 'message'] },
};
const onAccounts: Readonly<Record<string, Kind>> = {
  publish: { run: ofAccount(pics.publish), options: ['imageUrl', 'videoUrl', 'caption', 'altText'] },
  publishCarousel: { run: ofAccount(pics.publishCarousel), options: ['items', 'caption'] },
  publishStory: { run: ofAccount(pics.publishStory), options: ['imageUrl', 'videoUrl'] },
  publishComment: { run: onAccount(pics.publishComment), options: ['mediaId', 'message'] },
  replyComment: { run: onAccount(pics.replyComment), options: ['commentId', 'message'] },
};

/** What can be planned, and the options of each. */
export function publishingsOf({ platform }: Pick<Access, 'platform'>): Readonly<Record<string, Kind>> {
  return platform === 'page' ? onPages : onAccounts;
}

/** A draft, with everything that its hash covers. */
interface Prepared {
  readonly name: string;
  readonly kind: Kind;
  readonly target: Target;
  /** As the function takes them, with a `Date` for a time. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/** Reads a draft. Nothing is sent, except to find its Page and that Page's token. */
function prepare({ access }: Session, draft: Draft, signal: AbortSignal): ResultAsync<Prepared, AnySdkError> {
  return safeTry(async function* () {
    const kinds = publishingsOf(access);
    const kind = Object.hasOwn(kinds, draft.function) ? kinds[draft.function] : undefined;
    if (kind === undefined) return fault('function', `must be one of ${Object.keys(kinds).join(', ')}`);
    const unknown = Object.keys(draft.options).find((name) => !kind.options.includes(name));
    if (unknown !== undefined)
      return fault('options', `of ${draft.function} have no ${unknown}, only ${kind.options.join(', ')}`);
    const { scheduledAt, ...rest } = draft.options;
    const date = typeof scheduledAt === 'string' ? dateIn(scheduledAt) : undefined;
    if (date === null)
      return fault('scheduledAt', 'must be a time with its zone, such as 2026-05-01T09:00:00Z');
    const target = yield* targetOf(access, draft.pageId, signal);
    const options = { ...rest, ...(date === undefined ? {} : { scheduledAt: date }) };
    const parts = [access.client, target.id, draft.function, options, draft.copy ?? 1];
    return ok({ name: draft.function, kind, target, options, hash: hashOfJson(parts) });
  });
}

/**
 * A time with its zone; `null` for any other text. `Date` reads 31 February as 3 March, so the day is checked, and 24:00
 * as the next day.
 */
function dateIn(text: string): Date | null {
  const [, day = ''] =
    /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.exec(text) ?? [];
  const date = new Date(day === '' ? NaN : text);
  return Number.isNaN(date.getTime()) || toDayName(toDay(day)) !== day ? null : date;
}

/** The hash of a value as JSON, whatever the order of its members. */
function hashOfJson(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return sha256(text);
}

/** Checks a draft, publishes nothing, and keeps it as a plan if it can be applied. */
export function plan(session: Session, draft: Draft, signal: AbortSignal): ResultAsync<object, AnySdkError> {
  return safeTry(async function* () {
    const { access } = session;
    const prepared = yield* prepare(session, draft, signal);
    const { name, target, options, hash } = prepared;
    const invalid = await refusedOptions(access, prepared);
    if (invalid !== undefined) return err(invalid);
    const [permissions, quota, media, before] = await Promise.all([
      permissionCheck(access, prepared, signal),
      quotaCheck(access, prepared, signal),
      mediaChecks(session, options, signal),
      publishedBefore(access, hash),
    ]);
    const checks = [permissions, ...quota, ...textChecks(access, prepared), ...media.values()];
    const isReady = checks.every(({ ok }) => ok !== false);
    const shown = {
      ready: isReady,
      function: name,
      target: { id: target.id, name: target.name },
      options,
      copy: draft.copy ?? 1,
      checks: checks.map(({ check, ok, detail }) => ({ check, ok: ok ?? 'unknown', detail })),
      ...(before !== undefined && { already_published: before, note: repeated }),
    };
    if (!isReady) return ok(shown);
    const checkedAt = session.now();
    const versions = new Map([...media].map(([address, { version }]) => [address, version]));
    storePlan(session, hash, { checkedAt, versions });
    return ok({ ...shown, plan: hash, valid_until: new Date(checkedAt + planLifeMs).toISOString() });
  });
}

const repeated =
  'This has been published already: apply returns the same ids, and publishes nothing. To publish it once more, plan another copy.';

/** Keeps the newest plans. */
function storePlan({ plans }: Session, hash: string, made: Plan): void {
  plans.delete(hash);
  plans.set(hash, made);
  const [oldest = ''] = plans.keys();
  if (plans.size > maxPlans) plans.delete(oldest);
}

/** Publishes a plan once, under its hash. The caller passes the whole plan again, so that an approver sees its content. */
export function apply(
  session: Session,
  draft: Draft & { readonly plan: string },
  signal: AbortSignal,
): ResultAsync<object, AnySdkError> {
  return safeTry(async function* () {
    const prepared = yield* prepare(session, draft, signal);
    const { hash, options } = prepared;
    if (hash !== draft.plan)
      return fault(
        'plan',
        'does not match this content, which was changed after it was planned: plan it again',
      );
    const known = session.plans.get(hash);
    if (known === undefined) return fault('plan', 'is unknown: plan it first');
    const before = await publishedBefore(session.access, hash);
    // A repeat gives the same ids, however old the plan is.
    if (before === undefined) {
      if (session.now() - known.checkedAt > planLifeMs) return fault('plan', 'is too old: plan it again');
      const changed = [...(await mediaChecks(session, options, signal))].find(
        ([address, { ok, version }]) => ok === false || version !== known.versions.get(address),
      );
      if (changed !== undefined)
        return fault('plan', `is out of date: ${changed[0]} has changed since, so plan it again`);
    }
    const published = yield* call(session.access, prepared, { idempotencyKey: keyOf(hash), signal });
    return ok({ published, was_published_before: before !== undefined });
  });
}

/** The journal key under which a plan is published. */
function keyOf(hash: string): string {
  return `mcp-${hash}`;
}

/** The checks of the media that a function lets the platform fetch, by their addresses. */
async function mediaChecks(
  { access, media }: Session,
  options: Prepared['options'],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, MediaCheck>> {
  const found = mediaOf(access, options).map(
    async ([address, bounds]) => [address, await checkMediaAt(media, address, bounds, signal)] as const,
  );
  return new Map(await Promise.all(found));
}

function call(
  access: Access,
  { kind, target, options }: Prepared,
  more: object,
): ResultAsync<unknown, AnySdkError> {
  return callFor(access, target, kind.run, { ...options, ...more });
}

/** Options that the function itself refuses. Nothing is sent, since the signal is already aborted. */
async function refusedOptions(access: Access, prepared: Prepared): Promise<ConfigurationError | undefined> {
  const result = await call(access, prepared, { signal: AbortSignal.abort() });
  return result.isErr() && result.error.name === 'ConfigurationError' ? result.error : undefined;
}

async function permissionCheck(
  access: Access,
  { name, target }: Prepared,
  signal: AbortSignal,
): Promise<Check> {
  const result = await checkFor(access, target, [name], signal);
  const found = result.isOk() ? result.value.functions[name] : undefined;
  const reasons = result.isErr()
    ? [result.error.message]
    : (found?.reasons ?? []).map(({ message, fix }) => `${message} ${fix}`);
  const detail = reasons.length === 0 ? 'the token has what it needs' : reasons.join(' ');
  return { check: 'permissions', ok: found?.works, detail };
}

/** The platform reports no quota for Pages or comments. */
async function quotaCheck(
  access: Access,
  { name, target }: Prepared,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const check = 'quota';
  if (access.platform === 'page' || name.endsWith('Comment')) return [];
  const { id: picsUserId, token } = target;
  const result = await pics.publishingLimit(access.context, { token, picsUserId, signal });
  if (result.isErr()) return [{ check, ok: undefined, detail: result.error.message }];
  const { quota_usage: used = 0, quota_total: total } = result.value;
  const detail = `${used} of ${total ?? 'an unknown number of'} posts in 24 hours`;
  return [{ check, ok: total === undefined ? undefined : used < total, detail }];
}

/** What an earlier call published under the hash. */
async function publishedBefore({ context }: Access, hash: string): Promise<unknown> {
  const state = await journalState(context, keyOf(hash));
  return state.isOk() && state.value?.state === 'published' ? state.value.value : undefined;
}

function textChecks({ platform }: Access, { name, options }: Prepared): readonly Check[] {
  const text = platform === 'page' ? options['message'] : options['caption'];
  // The platform documents no limits for comments.
  if (typeof text !== 'string' || name.endsWith('Comment')) return [];
  const kind = platform === 'page' ? 'page.post' : 'pics.caption';
  const counts = checkText(text, kind);
  return textLimitsOf(kind).map(([what, most]) => ({
    check: 'text',
    ok: counts[what] <= most,
    detail: `${counts[what]} of at most ${most} ${what}`,
  }));
}

/** The media that a function lets the platform fetch. */
function mediaOf(
  { platform }: Access,
  options: Prepared['options'],
): readonly (readonly [address: string, bounds: MediaBounds])[] {
  const lists = [options['photos'], options['items']].flatMap((list) => (Array.isArray(list) ? list : []));
  return [options, ...lists].flatMap((one: unknown) =>
    Object.entries(fieldsOf(one)).flatMap(([name, address]): (readonly [string, MediaBounds])[] => {
      const bounds = /^(?:photo|image)Url$/.test(name)
        ? media[platform].image
        : name === 'videoUrl' && media[platform].video;
      return bounds && typeof address === 'string' ? [[address, bounds]] : [];
    }),
  );
}

const media = {
  page: {
    image: { kind: 'image', types: /^image\//, maxBytes: undefined },
    video: { kind: 'video', types: /^video\//, maxBytes: undefined },
  },
  pics: {
    image: { kind: 'image', types: /^image\/jpeg$/, maxBytes: 8_388_608 },
    video: { kind: 'video', types: /^video\/(?:mp4|quicktime)$/, maxBytes: undefined },
  },
} as const;
