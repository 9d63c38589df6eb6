import { DBOS } from '@dbos-inc/dbos-sdk';
import { errorFromJSON } from 'pagepics';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';

interface Planned {
  /** The id of the row that plans the post, and of the workflow that publishes it. */
  readonly key: string;
  readonly message: string;
}

/** `DBOS.startWorkflow(workflow, { workflowID: key })({ key, message })` starts one, after `DBOS.launch()`. */
export function registerWorkflow(
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
): (planned: Planned) => Promise<string> {
  async function publishOnce({ key, message }: Planned) {
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    // Plain data: of an error as the value of a step, only name and message are left, also without a kill.
    return post.isOk() ? { id: post.value.id } : { error: post.error.toJSON() };
  }

  async function publishPlanned(planned: Planned): Promise<string> {
    for (;;) {
      const { id, error } = await DBOS.runStep(() => publishOnce(planned), { name: 'publishOnce' });
      if (id !== undefined) return id;
      const failure = errorFromJSON(error);
      const afterMs = failure && startAgainIn(failure);
      if (afterMs === undefined) throw failure ?? new Error('no error of the SDK');
      await DBOS.sleep(afterMs);
    }
  }
  return DBOS.registerWorkflow(publishPlanned, { name: 'publishPlanned' });
}
