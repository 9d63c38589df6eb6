import { sign } from '../../core/http/proof.ts';
import { toJson } from '../json.ts';
import { find, type World } from '../world.ts';
import type { Happening } from './announce.ts';

/** Where to deliver to: a handler, such as `createWebhookHandler` makes, or an address. */
export type DeliveryTarget = ((request: Request) => Promise<Response>) | string;

export interface DeliverOptions {
  /** Events in one request, 1 to 1,000. @default 1000 */
  readonly batch?: number;
  /** How often a request is sent until it gets a 2xx response; the live platform retries for 36 hours. @default 3 */
  readonly attempts?: number;
  /** Sends each request again after its 2xx response. @default false */
  readonly duplicates?: boolean;
  /** Sends the newest events first. @default false */
  readonly reorder?: boolean;
  /** Secret to sign with. @default the secret of the app whose platform it is */
  readonly secret?: string;
}

/** One request, and its responses. */
export interface SandboxDelivery {
  readonly body: string;
  /** The value of `X-Hub-Signature-256`. */
  readonly signature: string;
  /** The status of the response to each attempt; `undefined` without one. With `duplicates`, the last one is the duplicate's. */
  readonly statuses: readonly (number | undefined)[];
}

/** Delivers the subscribed events since the last time, and forgets them. */
export async function deliver(
  world: World,
  to: DeliveryTarget,
  options: DeliverOptions = {},
): Promise<readonly SandboxDelivery[]> {
  const { batch = 1000, attempts = 3, duplicates = false, reorder = false } = options;
  const wanted = world.happenings.splice(0).filter((one) => isSubscribed(world, one));
  if (reorder) wanted.reverse();
  const sent: SandboxDelivery[] = [];
  for (const [object, secret] of [
    ['page', world.app.secret],
    ['instagram', world.picsApp.secret],
  ] as const) {
    const events = wanted.filter((one) => one.object === object);
    for (let at = 0; at < events.length; at += batch) {
      const body = toJson({ object, entry: entriesOf(world, events.slice(at, at + batch)) });
      const signature = `sha256=${await sign(body, options.secret ?? secret)}`;
      const statuses: (number | undefined)[] = [];
      do statuses.push(await post(to, body, signature));
      while (!isTaken(statuses.at(-1)) && statuses.length < attempts);
      if (duplicates) statuses.push(await post(to, body, signature));
      sent.push({ body, signature, statuses });
    }
  }
  return sent;
}

/** The entry of an event. A photo-sharing account gets all fields, whichever it subscribed to. */
function entriesOf(world: World, events: readonly Happening[]): readonly object[] {
  return events.map(({ accountId: id, field, item }) =>
    field === undefined
      ? { time: world.now(), id, messaging: [item] }
      : { id, time: Math.floor(world.now() / 1000), changes: [{ field, value: item }] },
  );
}

function isSubscribed(world: World, { object, accountId, field }: Happening): boolean {
  if (object === 'page') return find(world, 'page', accountId)?.subscribed?.includes(field ?? '') === true;
  const account = find(world, 'picsAccount', accountId);
  const page = find(world, 'page', account?.pageId ?? '');
  return account?.subscribed !== undefined || page?.subscribed !== undefined;
}

async function post(to: DeliveryTarget, body: string, signature: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  const init = { method: 'POST', body, headers };
  try {
    const response = await (typeof to === 'string'
      ? fetch(to, init)
      : to(new Request('https://app.sandbox.test/webhooks', init)));
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
