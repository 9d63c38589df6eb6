import { errorFromJSON } from 'pagepics';
import { publishPost } from 'pagepics/page';
import { FatalError, sleep } from 'workflow';

import { startAgainIn } from '../../again.ts';
import { context, onPage } from '../context.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

/** `start(publishPlanned, [{ key, message }])` starts one. */
export async function publishPlanned(planned: Planned): Promise<string> {
  'use workflow';
  for (;;) {
    const { id, error } = await publishOnce(planned);
    if (id !== undefined) return id;
    const failure = errorFromJSON(error);
    const afterMs = failure && startAgainIn(failure);
    if (afterMs === undefined) throw new FatalError(failure?.message ?? 'no error of the SDK');
    await sleep(afterMs);
  }
}

async function publishOnce({ key, message }: Planned) {
  'use step';
  const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
  // Plain data: an error as the value of a step loses its fields, and one that is thrown counts as an attempt.
  return post.isOk() ? { id: post.value.id } : { error: post.error.toJSON() };
}
