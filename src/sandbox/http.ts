import type { Platform } from '../core/platform.ts';
import { placeOf, type Place } from './hosts.ts';
import { toJson } from './json.ts';
import type { Log, World } from './world.ts';

type Fields = Record<string, string>;

/** A request with its body read, except on the upload host, where the body stays a stream. */
export interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly place: Place;
  readonly query: Fields;
  readonly form: Fields | undefined;
  readonly json: unknown;
  /** Files of a multipart body. */
  readonly files?: Files | undefined;
}

/** The bytes of files, by the names of their fields. */
export type Files = Readonly<Record<string, Uint8Array>>;

export async function readRequest(request: Request, platform: Platform): Promise<Incoming | undefined> {
  const url = new URL(request.url);
  const place = placeOf(url, platform);
  if (place === undefined) return undefined;
  const query: Fields = Object.fromEntries(url.searchParams);
  const body = place.host === 'upload' ? {} : await readBody(request);
  return { request, url, place, query, form: body.form, json: body.json, files: body.files };
}

/** The fields of the body as text, from a form or from JSON. */
export function bodyFields(incoming: Incoming): Fields {
  if (incoming.form !== undefined) return incoming.form;
  if (typeof incoming.json !== 'object' || incoming.json === null) return {};
  const members = Object.entries(incoming.json).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === 'string' ? value : toJson(value)]),
  );
}

export function logOf(world: World, incoming: Incoming): Log {
  const { request, place } = incoming;
  return {
    method: request.method,
    host: place.host,
    path: place.path,
    version: place.version,
    query: incoming.query,
    form: incoming.form,
    json: incoming.json,
    headers: Object.fromEntries(request.headers),
    at: world.now(),
    status: undefined,
    faulted: false,
  };
}

interface Body {
  readonly form?: Fields | undefined;
  readonly json?: unknown;
  readonly files?: Files | undefined;
}

async function readBody(request: Request): Promise<Body> {
  if (request.body === null) return {};
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData();
    const fields: Fields = {};
    const files: Record<string, Uint8Array> = {};
    for (const [name, value] of form) {
      fields[name] = typeof value === 'string' ? value : `(file of ${value.size} bytes)`;
      if (typeof value !== 'string') files[name] = new Uint8Array(await value.arrayBuffer());
    }
    return { form: fields, files };
  }
  const text = await request.text();
  if (text === '') return {};
  if (type.startsWith('application/json')) return { json: parsed(text) };
  return { form: Object.fromEntries(new URLSearchParams(text)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
