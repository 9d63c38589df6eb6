import type { ResultAsync } from 'neverthrow';

import type { AnySdkError } from '../../../../src/core/index.ts';
import { createPageContext, type PageContext } from '../../../../src/page/context.ts';
import {
  createPicsContext,
  createPicsContextViaPages,
  type PicsContext,
} from '../../../../src/pics/context.ts';
import type { EffectKind, Sandbox } from '../../../../src/sandbox/index.ts';
import { idOf } from '../../../functions/at.ts';
import { firstPage, spotIn, writings, type Writing } from '../../../functions/index.ts';
import type { Keyed, Spot } from '../../../functions/table.ts';

/** A process of the caller's, as far as it publishes. */
interface Machine {
  readonly context: PageContext;
  /** Login mode. */
  readonly pics: PicsContext;
  /** Page mode. */
  readonly viaPages: PicsContext;
}

/** Where to publish: what a sandbox has, as JSON can tell it. */
export interface Target extends Pick<Spot, 'page' | 'account'> {
  /** What was made for it. */
  readonly prepared?: string | undefined;
}

/** What to publish, and under which key. */
export interface Job {
  readonly idempotencyKey: string | undefined;
  readonly message: string;
}

/** A stranger to the caller's processes, who writes the same as they do. */
interface Stranger extends Machine {
  readonly sandbox: Sandbox;
  readonly target: Target;
  readonly message: string;
}

export interface Publishing {
  readonly call: (at: Machine, target: Target, job: Job) => ResultAsync<unknown, AnySdkError>;
  /** What a person makes that looks the same, with the platform's own tools. Returns its id. */
  readonly stranger: (person: Stranger) => Promise<string>;
  /** Kind of its effect, and the field of the value with its id. */
  readonly kind: EffectKind;
  readonly id: string;
  /** Kinds of what it makes on the way. */
  readonly makes?: readonly EffectKind[] | undefined;
  /** How many of each it makes. */
  readonly count?: number | undefined;
  /** What must be there before. Returns its id. */
  readonly prepare?: ((sandbox: Sandbox) => Promise<string>) | undefined;
  /** Nothing shows what became of a lost request: it stays unknown. */
  readonly isBlind: boolean;
  /** Of a lost request, it shows what may be its effect by its kind, not by its content: that stays unknown. */
  readonly hidesContent: boolean;
  /** Of a lost request, it shows that it took effect, but not what it made. */
  readonly hidesId: boolean;
  /** It shows that only by refusing a second one, once the first has settled. */
  readonly isGuarded: boolean;
  /** How many of it the platform accepts per Page and day. */
  readonly mostPerPage?: number | undefined;
}

const keyed = writings.filter((one): one is Writing & { readonly keyed: Keyed } => one.keyed !== undefined);

/** Each function that publishes, by its platform and name, and the specifics of the call. */
export const publishings = publishingsOf(false);

/** Further ways of some of them, whose responses name other ids, or whose effects show other things. */
export const variants = publishingsOf(true);

function publishingsOf(isVariant: boolean): Readonly<Record<string, Publishing>> {
  return Object.fromEntries(
    keyed
      .filter((one) => (one.keyed.isVariant ?? false) === isVariant)
      .map((one) => [one.name, publishingOf(one, one.keyed)]),
  );
}

function publishingOf(
  { endpoint, realm, options, prepare, kind, id = 'id', hides }: Writing,
  { stranger, makes, count, mostPerPage }: Keyed,
): Publishing {
  const { call, entry } = endpoint;
  /** Calls the function, whose result is a promise. */
  const start = (at: Machine, given: object) =>
    call({ page: at.context, login: at.pics, viaPages: at.viaPages }[realm], given) as ResultAsync<
      object,
      AnySdkError
    >;
  return {
    call: (at, target, { message, idempotencyKey }) => {
      const spot = spotIn(realm, target, { message, prepared: target.prepared ?? '', named: true });
      return start(at, { ...options(spot), idempotencyKey });
    },
    stranger: async (person) => {
      const { target, message } = person;
      const other = realm === 'page' ? 'page' : 'viaPages';
      const spot = spotIn(other, target, { message, prepared: target.prepared ?? '' });
      if (stranger !== undefined) return stranger({ ...person, at: spot });
      return idOf(start({ ...person, pics: person.viaPages }, entry.options(spot)), id);
    },
    kind,
    id,
    makes,
    count,
    mostPerPage,
    prepare:
      prepare &&
      (async (sandbox) => {
        const { app, picsApp, platform, fetch, account } = sandbox;
        const secrets = { platform, fetch, appSecret: realm === 'login' ? picsApp.secret : app.secret };
        const context = {
          page: () => createPageContext({ ...secrets, appId: app.id }),
          login: () => createPicsContext(secrets),
          viaPages: () => createPicsContextViaPages(secrets),
        }[realm]();
        const at = spotIn(realm, { page: firstPage(sandbox), account });
        return prepare({ sandbox, at, context: context._unsafeUnwrap() });
      }),
    isBlind: hides === 'all',
    hidesContent: hides === 'its content',
    hidesId: hides === 'its id',
    isGuarded: hides === 'all but a repetition',
  };
}
