import { type Err, err, ok, type Result, type ResultAsync } from 'neverthrow';

import { withIds, withMessage, withPayload } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, RequestFailure } from '../../core/errors.ts';
import { toResultAsync } from '../../core/http/resultAsync.ts';
import { statusRequest } from '../../core/waits/polling.ts';
import type { PicsContext } from '../context.ts';
import { type PublishCall, readContainer } from './container.ts';

/** The call that publishes a carousel. */
export interface CarouselCall extends PublishCall {
  /** What messages call one of its children. */
  readonly noun: 'image' | 'item';
}

/** What a child is made with. */
export interface ChildRequest {
  /** Called with the id of its container as soon as it is known. */
  readonly onMade: (id: string) => void;
  /** Ends its upload: the call is aborted, or another child has failed. */
  readonly uploadSignal: AbortSignal;
}

/**
 * Makes the children of a carousel's items, which are at most ten, side by side. `onChild` is called with those that
 * exist, in the order of the items.
 */
export function createChildren<TItem>(
  context: PicsContext,
  { noun, signal }: CarouselCall,
  items: readonly TItem[],
  createChild: (
    item: TItem,
    at: number,
    request: ChildRequest,
  ) => PromiseLike<Result<string, RequestFailure>>,
  onChild: (children: readonly string[]) => void,
): ResultAsync<readonly string[], RequestFailure> {
  return toResultAsync(context, create());

  async function create(): Promise<Result<readonly string[], RequestFailure>> {
    const ids: (string | undefined)[] = [];
    const children = (): readonly string[] => ids.filter((id) => id !== undefined);
    const uploads = new AbortController();
    const stopUploads = (): void => uploads.abort();
    if (signal?.aborted) stopUploads();
    signal?.addEventListener('abort', stopUploads);
    const made = await Promise.all(
      items.map(async (item, at) => {
        const onMade = (id: string): void => {
          ids[at] = id;
          onChild(children());
        };
        const child = await createChild(item, at, { onMade, uploadSignal: uploads.signal });
        // Without this child, there is nothing to upload the others for.
        if (child.isErr()) stopUploads();
        return child;
      }),
    );
    signal?.removeEventListener('abort', stopUploads);

    const failures = made.flatMap((child, at) => (child.isErr() ? [{ at, failure: child.error }] : []));
    // An upload that was stopped over another child says nothing.
    const first = failures.find(({ failure }) => !isAborted(failure)) ?? failures[0];
    if (first === undefined) return ok(children());
    const failure = withIds(first.failure, { children: children() });
    return err(ofChild(failure, noun, first.at, items.length));
  }
}

function isAborted(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && failure.reason === 'aborted';
}

/** A failure that names the child that it is about. */
export function ofChild<TFailure extends RequestFailure | ContainerNotReadyError>(
  failure: TFailure,
  noun: CarouselCall['noun'],
  at: number,
  count: number,
  reason = failure.message,
): TFailure {
  const message = `${noun} ${at + 1} of ${count}: ${reason}`;
  return withMessage(withPayload(failure, { failed_image: at + 1 }), message);
}

/** Adds the child that made a carousel's container fail. If none has failed, the error stays as it is. */
export function nameFailedChild(
  context: PicsContext,
  call: CarouselCall,
  children: readonly string[],
  failure: RequestFailure | ContainerNotReadyError,
): ResultAsync<never, RequestFailure | ContainerNotReadyError> {
  return toResultAsync(context, name());

  async function name(): Promise<Err<never, RequestFailure | ContainerNotReadyError>> {
    if (failure.name !== 'ContainerNotReadyError' || failure.statusCode !== 'ERROR') return err(failure);
    const limits = statusRequest(context.clock, 0, call);
    const lookups = await Promise.all(
      children.map((child) => readContainer(context, { ...limits, token: call.token }, child)),
    );
    const states = lookups.map((lookup) => lookup.unwrapOr(undefined));
    const at = states.findIndex((state) => state?.status_code === 'ERROR');
    if (at < 0) return err(failure);
    const named = withPayload(failure, { failed_child: children[at] });
    return err(ofChild(named, call.noun, at, children.length, states[at]?.status ?? failure.message));
  }
}
