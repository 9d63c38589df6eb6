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

/**
 * Makes the children of a carousel's items, which are at most ten, side by side. `createChild` tells the id of its
 * container as soon as it is known; `onChild` is called with those that exist, in the order of the items.
 */
export function createChildren<TItem>(
  { noun }: CarouselCall,
  items: readonly TItem[],
  createChild: (
    item: TItem,
    at: number,
    onMade: (id: string) => void,
  ) => PromiseLike<Result<string, RequestFailure>>,
  onChild: (children: readonly string[]) => void,
): ResultAsync<readonly string[], RequestFailure> {
  return toResultAsync(create());

  async function create(): Promise<Result<readonly string[], RequestFailure>> {
    const ids: (string | undefined)[] = [];
    const children = (): readonly string[] => ids.filter((id) => id !== undefined);
    const made = await Promise.all(
      items.map((item, at) =>
        createChild(item, at, (id) => {
          ids[at] = id;
          onChild(children());
        }),
      ),
    );
    for (const [at, child] of made.entries()) {
      if (child.isErr()) {
        const failure = withIds(child.error, { children: children() });
        return err(ofChild(failure, noun, at, items.length));
      }
    }
    return ok(children());
  }
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
  return toResultAsync(name());

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
