import { hmacHex } from '../auth/proof.ts';
import { toJson } from '../json.ts';
import { find, type World } from '../world.ts';
import type { DeliverOptions, DeliveryTarget, Happening, SandboxDelivery } from './types.ts';

/** Delivers the subscribed events since the last delivery. All others are dropped. */
export async function deliver(
  world: World,
  to: DeliveryTarget,
  options: DeliverOptions = {},
): Promise<readonly SandboxDelivery[]> {
  const {
    batch = 1000,
    attempts = 3,
    duplicates = false,
    reorder = false,
  } = { ...world.delivery, ...options };
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
      const key = options.secret ?? secret;
      const signature = `sha256=${await hmacHex(key, body)}`;
      // The platform still sends the older signature, too.
      const signatures = {
        'x-hub-signature': `sha1=${await hmacHex(key, body, 'SHA-1')}`,
        'x-hub-signature-256': signature,
      };
      const statuses: (number | undefined)[] = [];
      do statuses.push(await post(to, body, signatures));
      while (!isTaken(statuses.at(-1)) && statuses.length < attempts);
      if (duplicates) statuses.push(await post(to, body, signatures));
      sent.push({ body, signature, statuses });
    }
  }
  return sent;
}

/** The entries of events. */
function entriesOf(world: World, events: readonly Happening[]): readonly object[] {
  return events.map(({ accountId: id, field, isChange, item }) =>
    !isChange
      ? { time: world.now(), id, messaging: [item] }
      : { id, time: Math.floor(world.now() / 1000), changes: [{ field, value: item }] },
  );
}

/** Whether the Page or account of an event is subscribed to it. Other events are not delivered. */
export function isSubscribed(world: World, { object, accountId, field }: Happening): boolean {
  if (object === 'page') return find(world, 'page', accountId)?.subscribed?.includes(field) === true;
  const account = find(world, 'picsAccount', accountId);
  const page = find(world, 'page', account?.pageId ?? '');
  return account?.subscribed !== undefined || page?.subscribed !== undefined;
}

async function post(
  to: DeliveryTarget,
  body: string,
  signatures: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', ...signatures };
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

export function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
