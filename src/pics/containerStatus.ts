import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token as tokenRule } from '../core/options/check.ts';
import type { ContainerStatus } from '../models/media.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { readContainer } from './internal/container.ts';

export interface ContainerStatusOptions extends PicsCallOptions {
  readonly containerId: string;
}

/**
 * Reads the state of a media container.
 *
 * Permissions in login mode: `pics_business_basic`; in page mode: `pics_basic`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform reference, container node.
 *
 * @example
 * const container = await containerStatus(context, { containerId, token });
 * if (container.isOk()) console.log(container.value.status_code);
 *
 * @example With a client, which throws
 * const container = await client.containerStatus({ containerId, token });
 */
export function containerStatus(
  context: PicsContext,
  options: ContainerStatusOptions,
): ResultAsync<ContainerStatus, Failure> {
  const checked = check(context, options, () => ({ containerId: id, token: tokenRule }));
  return perform(context, 'containerStatus', checked, (call, { containerId }) =>
    readContainer(context, call, containerId),
  );
}
