import { err, ok, type Result } from 'neverthrow';

import { type ConfigurationError, DeliveryError } from '../core/errors.ts';
import type { Delivery } from './event.ts';
import { readDelivery } from './readEntry.ts';
import { type RawBody, toBytes, wrong } from './signature.ts';

export type ParseDeliveryFailure = DeliveryError | ConfigurationError;

/**
 * Reads the events of a delivery. It trusts the body, so call `verifySignature` first.
 *
 * Ids are exact strings, even those that are numbers in the body. An event that is not as documented has the type
 * `unknown`, with all of its content, and does not affect the others.
 *
 * Fails with DeliveryError when the body is not JSON in UTF-8, or not a delivery.
 *
 * Source: platform guide, Webhooks, Event Notifications.
 *
 * @example
 * const delivery = parseDelivery(rawBody);
 * if (delivery.isOk()) for (const { type, key } of delivery.value.events) console.log(type, key);
 */
export function parseDelivery(rawBody: RawBody): Result<Delivery, ParseDeliveryFailure> {
  if (!isBytes(toBytes(rawBody))) return err(wrong('rawBody'));
  try {
    return ok(readDelivery(rawBody));
  } catch {
    // One error for everything that is not a delivery: it must not quote the body.
    return err(new DeliveryError('not a delivery'));
  }
}

// Not by `instanceof`, since the bytes may come from another realm.
function isBytes(value: { readonly byteLength: number } | null | undefined): boolean {
  try {
    return value !== null && value !== undefined && value.byteLength >= 0;
  } catch {
    return false;
  }
}
