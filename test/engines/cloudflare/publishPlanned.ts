import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { NonRetryableError } from 'cloudflare:workflows';
import { errorFromJSON } from 'pagepics';
import { publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';
import { context, onPage } from './context.ts';

interface Planned {
  /** The id of the row that plans the post, and of the instance that publishes it. */
  readonly key: string;
  readonly message: string;
}

/** `env.POSTS.create({ id: key, params: { key, message } })` starts one, where `POSTS` is the binding of the Workflow. */
export class PublishPlanned extends WorkflowEntrypoint<unknown, Planned> {
  override async run({ payload }: WorkflowEvent<Planned>, step: WorkflowStep): Promise<string> {
    for (let round = 1; ; round++) {
      const { id, error } = await step.do(`publish ${round}`, () => publishOnce(payload));
      if (id !== undefined) return id;
      const failure = errorFromJSON(error);
      const afterMs = failure && startAgainIn(failure);
      if (afterMs === undefined) throw new NonRetryableError(failure?.message ?? 'no error of the SDK');
      await step.sleep(`wait ${round}`, afterMs);
    }
  }
}

async function publishOnce({ key, message }: Planned) {
  const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
  // Plain data: what a step throws counts as an attempt, and is tried again whenever Cloudflare likes.
  return post.isOk() ? { id: post.value.id } : { error: post.error.toJSON() };
}
