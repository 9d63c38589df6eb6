import { err, ok, type Result } from 'neverthrow';

import { type ConfigurationError, DeliveryError } from '../core/errors.ts';
import type { Delivery } from './event.ts';
import { readEntry } from './readEntry.ts';
import { type RawBody, toBytes, wrong } from './verifySignature.ts';

export type ParseDeliveryFailure = DeliveryError | ConfigurationError;

/**
 * Reads the events of a delivery. It trusts the body, so call `verifySignature` first.
 *
 * Ids are exact strings, also those that are numbers in the body. An event that is not as documented has the type
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
  const bytes = toBytes(rawBody);
  if (!isBytes(bytes)) return err(wrong('rawBody'));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { object, entry } = Object(parseExact(text)) as {
      readonly object: unknown;
      readonly entry: unknown;
    };
    if (typeof object === 'string' && Array.isArray(entry)) {
      return ok({ object, events: entry.flatMap((one) => readEntry(object, one)) });
    }
  } catch {
    // One error for all of these, since it must not quote the body.
  }
  return err(new DeliveryError('not a delivery'));
}

// Not by `instanceof`, since the bytes may come from another realm.
function isBytes(value: { readonly byteLength: number } | null | undefined): boolean {
  try {
    return value !== null && value !== undefined && value.byteLength >= 0;
  } catch {
    return false;
  }
}

/** A number, or a list of them, behind the name of a member: within a text, a quote has a backslash before it. */
const numbers = /([_"]u?ids?|\w)("\s*:\s*)(-?\d+|\[[-\d,\s]+])(?=\s*[,}])/g;

/**
 * `JSON.parse`, with ids as text, and so are integers beyond 2^53 of any name, which would lose digits as numbers. Throws a
 * SyntaxError as `JSON.parse` does.
 */
function parseExact(text: string): unknown {
  return JSON.parse(
    text.replace(
      numbers,
      (_, name: string, colon: string, values: string) =>
        name +
        colon +
        values.replace(/-?\d+/g, (digits) =>
          name[1] || !Number.isSafeInteger(Number(digits)) ? `"${digits}"` : digits,
        ),
    ),
  );
}
