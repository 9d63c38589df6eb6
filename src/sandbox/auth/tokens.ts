import { refuse } from '../errors.ts';
import { randomText } from '../random.ts';
import type { HostKind } from '../types.ts';
import type { Token, TokenKind, World } from '../world.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

export interface NewToken {
  readonly kind: Exclude<TokenKind, 'app'>;
  readonly subjectId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** `undefined`: it does not expire. */
  readonly lifeMs: number | undefined;
  readonly longLived: boolean;
  readonly parent?: string;
  readonly targets?: Token['targets'] | undefined;
  readonly tasks?: Token['tasks'];
  /** @default 90 days from now */
  readonly dataAccessEndsAt?: number | undefined;
}

export function issueToken(world: World, wanted: NewToken): Token {
  const { lifeMs, parent, targets = new Map(), tasks, dataAccessEndsAt, ...rest } = wanted;
  const token: Token = {
    ...rest,
    parent,
    targets,
    tasks,
    dataAccessEndsAt: dataAccessEndsAt ?? world.now() + 90 * day,
    value: (wanted.kind === 'pics' ? 'IGAAK' : 'EAAO') + randomText(world.random, 48),
    issuedAt: world.now(),
    expiresAt: lifeMs === undefined ? undefined : world.now() + lifeMs,
    death: undefined,
  };
  world.tokens.set(token.value, token);
  return token;
}

/** The Page token for a user token: the same one each time, with the same permissions. */
export function pageTokenFor(world: World, user: Token, pageId: string): Token {
  const known = [...world.tokens.values()].find(
    (token) => token.kind === 'page' && token.subjectId === pageId && token.parent === user.value,
  );
  if (known !== undefined) return known;
  const lifeMs = user.longLived || user.expiresAt === undefined ? undefined : user.expiresAt - world.now();
  return issueToken(world, {
    kind: 'page',
    subjectId: pageId,
    userId: user.userId,
    parent: user.value,
    scopes: user.scopes,
    targets: user.targets,
    tasks: user.tasks,
    dataAccessEndsAt: user.dataAccessEndsAt,
    lifeMs,
    longLived: user.longLived,
  });
}

export interface Death {
  readonly code: number;
  readonly error_subcode?: number;
  readonly message: string;
}

/** The token with this value, or the reason why it is not valid. */
export function lookUpToken(world: World, value: string, host: HostKind): Token | Death {
  const pics = host === 'picsGraph' || host === 'picsToken';
  if (!pics && value.startsWith(`${world.app.id}|`)) return appToken(world, value);
  const token = world.tokens.get(value);
  if (token === undefined || (token.kind === 'pics') !== pics) {
    return { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' };
  }
  if (token.death !== undefined) {
    return {
      code: 190,
      error_subcode: token.death,
      message: deaths[token.death] ?? 'Error validating access token',
    };
  }
  if (token.expiresAt !== undefined && token.expiresAt <= world.now()) {
    return { code: 190, error_subcode: 463, message: deaths[463] ?? '' };
  }
  return token;
}

export function demandToken(world: World, value: string | undefined, host: HostKind): Token {
  if (value === undefined || value === '') {
    return refuse({
      code: 2500,
      message: 'An active access token must be used to query information about the current user.',
    });
  }
  const token = lookUpToken(world, value, host);
  return 'code' in token ? refuse(token) : token;
}

function appToken(world: World, value: string): Token | Death {
  if (value !== `${world.app.id}|${world.app.secret}`) {
    return { code: 190, message: 'Invalid OAuth access token signature.' };
  }
  return {
    value,
    kind: 'app',
    subjectId: world.app.id,
    userId: '',
    parent: undefined,
    scopes: [],
    targets: new Map(),
    tasks: undefined,
    dataAccessEndsAt: Infinity,
    issuedAt: 0,
    expiresAt: undefined,
    longLived: true,
    death: undefined,
  };
}

const deaths: Readonly<Record<number, string>> = {
  458: 'Error validating access token: The user has not authorized application.',
  459: 'Error validating access token: You cannot access the app till you log in and follow the instructions given.',
  460: 'Error validating access token: The session has been invalidated because the user changed their password.',
  463: 'Error validating access token: Session has expired.',
  492: 'Error validating access token: Session does not match current stored session.',
};
