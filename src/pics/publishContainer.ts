import type { ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token as tokenRule } from '../core/options/check.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { Published } from '../models/written.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { type PublishingOptions, waitRules } from './internal/container.ts';
import { publishReady } from './internal/publishMedia.ts';

export interface PublishContainerOptions extends PublishingOptions {
  /** `containerId` of a ContainerNotReadyError, or `container_id` in the payload of another failure. */
  readonly containerId: string;
}

export type PublishContainerFailure = Failure | ContainerNotReadyError;

/**
 * Publishes a container that an earlier call created, up to 24 hours later and in any process.
 *
 * It checks first: a container that is already published is not published again. Its media is returned if this process
 * published it, or created the container and finds exactly one media object with its caption; otherwise the call fails
 * with an ApiError whose `outcome` is `applied`.
 *
 * Fails with ContainerNotReadyError when the container is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_content_publish`; in page mode: `pics_basic`,
 * `pics_content_publish`, `pages_read_engagement`, `pages_show_list`. Source: Content Publishing guide.
 *
 * @example
 * const post = await publishContainer(context, { token, containerId });
 * if (post.isOk()) console.log(post.value.media_id);
 *
 * @example With a client, which throws
 * const post = await client.publishContainer({ token, containerId });
 */
export function publishContainer(
  context: PicsContext,
  options: PublishContainerOptions,
): ResultAsync<Published, PublishContainerFailure> {
  const checked = check(context, options, (own) => ({
    idempotencyKey: keyIn(context),
    token: tokenRule,
    containerId: id,
    picsUserId: accountId(context, own),
    ...waitRules,
  }));
  return perform(context, 'publishContainer', checked, (base, own) => {
    const { containerId, picsUserId, waitTimeoutMs, onStatus } = own;
    const call = { ...base, account: accountOf(picsUserId) };
    return keyed(context, call, 'pics', own, (context) =>
      publishReady(context, call, {
        containerId,
        statusFirst: true,
        waitTimeoutMs,
        onStatus,
      }),
    );
  });
}
