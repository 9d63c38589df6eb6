import { fieldsOf } from '../core/options/check.ts';
import type { Platform } from '../core/platform.ts';
import { checkProof } from './auth/proof.ts';
import { demandToken } from './auth/tokens.ts';
import { invalid, refusalOf } from './errors.ts';
import { type Incoming, readRequest } from './http.ts';
import { parsed } from './json.ts';
import { json } from './responses.ts';
import { targetOf, type OpenCall } from './route.ts';
import type { World } from './world.ts';

const mostParts = 50;

/** Reads a single request. The function that it returns runs it. */
type Prepare = (incoming: Incoming) => Promise<() => unknown>;

/** A part of a batch, as the caller sent it. */
interface Part {
  readonly method?: unknown;
  readonly relative_url?: unknown;
  readonly body?: unknown;
}

/** The response to one part. */
interface PartResponse {
  readonly code: number;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Runs the parts of a batch, each as a separate request. A part without a token uses that of the batch. */
export async function prepareBatch(
  call: OpenCall,
  platform: Platform,
  prepare: Prepare,
): Promise<() => unknown> {
  const { world, params } = call;
  const token = demandToken(world, params['access_token'], call.host);
  await checkProof(world, token, params);
  const parts = partsOf(params['batch'] ?? '');
  const withHeaders = params['include_headers'] !== 'false';
  const own = { access_token: token.value, appsecret_proof: params['appsecret_proof'] };
  const { finishes = parts.length, lands } = world.tuning.batch;
  // One after another: whether a part is refused, for a quota for example, depends on the parts before it.
  const prepared: Awaited<ReturnType<typeof preparePart>>[] = [];
  for (const part of parts) prepared.push(await preparePart(world, part, platform, own, prepare));
  return () =>
    prepared.map((run, at) => {
      if (at < finishes) return run(withHeaders);
      if (lands) run(withHeaders);
      return null;
    });
}

function partsOf(text: string): readonly Part[] {
  const parts = parsed(text);
  if (!Array.isArray(parts)) return invalid('Param batch must be an array');
  if (parts.length > mostParts) {
    return invalid(`Too many requests in batch message. Maximum batch size is ${mostParts}`);
  }
  return parts.map(fieldsOf);
}

async function preparePart(
  world: World,
  { method, relative_url, body }: Part,
  platform: Platform,
  own: Readonly<Record<string, string | undefined>>,
  prepare: Prepare,
): Promise<(withHeaders: boolean) => PartResponse> {
  const relative = (typeof relative_url === 'string' ? relative_url : '').replace(/^\/+/, '');
  const url = new URL(`${platform.graphUrl}/${/^v\d+\.\d+(\/|$)/.test(relative) ? '' : 'v26.0/'}${relative}`);
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  if (!url.searchParams.has('access_token') && !fields.has('access_token')) {
    for (const [name, value] of Object.entries(own))
      if (value !== undefined) url.searchParams.set(name, value);
  }
  // The platform has no batches within batches.
  url.searchParams.delete('batch');
  fields.delete('batch');
  const isPost = method === 'POST';
  const form = isPost && typeof body === 'string' ? fields : null;
  const request = new Request(url, {
    method: isPost || method === 'DELETE' ? method : 'GET',
    ...(form && { body: form }),
  });
  const incoming = (await readRequest(request, platform)) as Incoming;
  try {
    const run = await prepare(incoming);
    return (withHeaders) => {
      try {
        const result = run();
        return targetOf(result) === undefined
          ? toPart(world, incoming, 200, result, withHeaders)
          : toPart(world, incoming, 302, {}, withHeaders, { location: targetOf(result) ?? '' });
      } catch (thrown) {
        return refusedPart(world, incoming, thrown, withHeaders);
      }
    };
  } catch (thrown) {
    return (withHeaders) => refusedPart(world, incoming, thrown, withHeaders);
  }
}

function refusedPart(world: World, incoming: Incoming, thrown: unknown, withHeaders: boolean): PartResponse {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return toPart(world, incoming, refusal.status, refusal.body, withHeaders);
}

function toPart(
  world: World,
  incoming: Incoming,
  status: number,
  value: unknown,
  withHeaders: boolean,
  more: Readonly<Record<string, string>> = {},
): PartResponse {
  const { body, headers } = json(world, incoming, status, value);
  const listed = Object.entries({ ...headers, ...more }).map(([name, text]) => ({ name, value: text }));
  return { code: status, ...(withHeaders && { headers: listed }), body };
}
