import { type Err, err } from 'neverthrow';

import { ConfigurationError, SignatureError, type SignatureReason } from '../../core/errors.ts';

/** The body of a request, unparsed. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | Uint8Array;

/** Whether it is a list of non-empty strings, and not empty itself. */
export function areTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string' && value.trim() !== '');
}

/** Whether the value of a header could be a signature. */
export function isSignature(header: string | null | undefined): header is string {
  return /^sha256=[\dA-Fa-f]{64}$/.test(header as string);
}

export function wrong(option: string): ConfigurationError {
  return new ConfigurationError(`${option} is empty or of a wrong type`, option);
}

export function refuse(reason: SignatureReason): Err<never, SignatureError> {
  return err(new SignatureError(reason));
}

export function toBytes(body: RawBody): ArrayBuffer | Uint8Array<ArrayBuffer> {
  return typeof body === 'string'
    ? new TextEncoder().encode(body)
    : (body as ArrayBuffer | Uint8Array<ArrayBuffer>);
}
