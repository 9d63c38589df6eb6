import type { Platform } from '../core/platform.ts';
import type { Task } from './auth/grants.ts';
import type { Files } from './http.ts';
import type { HostKind } from './types.ts';
import type { NodeKind, NodeMap, Token, TokenKind, World } from './world.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** A request as routes get it. */
export interface OpenCall {
  readonly world: World;
  /** The addresses that the caller uses, for links in responses. */
  readonly platform: Platform;
  readonly method: Method;
  readonly host: HostKind;
  /** The version that is served. */
  readonly version: string;
  /** Path below the version, with `me` replaced by the id. */
  readonly path: string;
  /** Query and body together; only the query for GET. Objects of a JSON body are JSON text. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** Files of a multipart body. */
  readonly files: Files;
  /** The names of those files, by the names of their fields. */
  readonly fileNames: Readonly<Record<string, string>>;
}

export interface Call extends OpenCall {
  readonly token: Token;
}

/** A route below a node: `POST /{page}/feed` is `{ method: 'POST', on: 'page', edge: 'feed' }`. */
export interface NodeRoute<K extends NodeKind> {
  readonly method: Method;
  readonly hosts: readonly HostKind[];
  readonly on: K;
  /** `undefined`: the node itself. */
  readonly edge?: string;
  readonly tokens: readonly TokenKind[];
  /** The token needs all of them. */
  readonly scopes: readonly string[] | ((call: Call, node: NodeMap[K]) => readonly string[]);
  /** The person behind a Page's token needs one of them. */
  readonly tasks?: readonly Task[] | ((call: Call, node: NodeMap[K]) => readonly Task[]);
  /** Parameters besides the generic ones. All others are ignored, or refused by a strict sandbox. */
  readonly params?: readonly string[];
  readonly required?: readonly string[];
  /** Calls the app back, or refuses, before anything is done. */
  readonly before?: (call: Call) => Promise<void>;
  /** Returns the body of the 200, or refuses. Synchronous, so that no other request comes in between. */
  readonly run: (call: Call, node: NodeMap[K]) => unknown;
}

/** A route with a fixed path, which checks its token itself. */
export interface PathRoute {
  readonly method: Method;
  readonly hosts: readonly HostKind[];
  readonly path: string;
  readonly params: readonly string[];
  readonly required?: readonly string[];
  readonly run: (call: OpenCall) => unknown;
}

export type Route = PathRoute | { [K in NodeKind]: NodeRoute<K> }[NodeKind];

export function atPath(route: PathRoute): Route {
  return route;
}

/** Makes a route below a node; `run` gets the node with its exact type. */
export function onNode<K extends NodeKind>(route: NodeRoute<K>): Route {
  return route as unknown as Route;
}

const target: unique symbol = Symbol('target');

/** A redirect, instead of a body. */
export interface Redirect {
  readonly [target]: string;
}

export function redirectTo(url: string): Redirect {
  return { [target]: url };
}

/** The target of a result that is a redirect. */
export function targetOf(result: unknown): string | undefined {
  return typeof result === 'object' && result !== null && target in result
    ? String(result[target])
    : undefined;
}

const always = ['access_token', 'appsecret_proof', 'appsecret_time', 'fields', 'locale'];
const forReads = [...always, 'limit', 'after', 'before', 'summary'];

export const genericParams: Readonly<Record<Method, readonly string[]>> = {
  GET: forReads,
  POST: always,
  DELETE: always,
};

/** Parameters that the platform refuses from v26.0 on. */
export const retiredParams: readonly string[] = ['pretty', 'debug', 'date_format', 'ids'];

/** Whether a version is from before they were retired. */
export function isBeforeRetirement({ version }: Pick<OpenCall, 'version'>): boolean {
  return Number(version.slice(1)) < 26;
}
