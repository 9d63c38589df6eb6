import { setTimeout as sleep } from 'node:timers/promises';

import { type PageContext, publishPost } from 'pagepics/page';
import type { Pool } from 'pg';

import { startAgainIn } from './again.ts';

interface Planned {
  readonly id: string;
  /** The same each time the row is taken. */
  readonly key: string;
  readonly message: string;
}

export const table = `create table if not exists planned (
  id bigint primary key generated always as identity, key text unique, message text not null,
  run_at timestamptz default now(), post_id text, failure text
)`;

export async function runWorker(
  pool: Pool,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  lockSeconds = 300,
): Promise<void> {
  // A row of a killed worker comes back after `lockSeconds`, so the `deadlineMs` of the context is shorter. No transaction is
  // open during the call.
  const take = `update planned set run_at = now() + make_interval(secs => $1) where id = (
      select id from planned where run_at <= now() order by run_at limit 1 for update skip locked
    ) returning id, key, message`;
  const put = `update planned set run_at = now() + make_interval(secs => $2), post_id = $3, failure = $4 where id = $1`;
  for (;;) {
    const { rows } = await pool.query<Planned>(take, [lockSeconds]);
    const [row] = rows;
    if (row === undefined) {
      await sleep(1000);
      continue;
    }
    const { id, key, message } = row;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) {
      await pool.query(put, [id, null, post.value.id, null]); // a `run_at` of null is never due
      continue;
    }
    const afterMs = startAgainIn(post.error);
    await pool.query(put, [id, afterMs === undefined ? null : afterMs / 1000, null, post.error.message]);
  }
}
