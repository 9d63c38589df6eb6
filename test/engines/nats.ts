import { jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function runWorker(
  connection: NatsConnection,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  ackWaitMs = 300_000,
): Promise<void> {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'posts', subjects: ['posts'], retention: 'workqueue' });
  await manager.consumers.add('posts', {
    durable_name: 'workers',
    ack_policy: 'explicit',
    // The job of a killed worker comes back after this time, so the `deadlineMs` of the context is shorter.
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
  });
  const consumer = await jetstream(connection).consumers.get('posts', 'workers');
  // One at a time: for a message that waits in this process, `ack_wait` runs as well.
  for await (const job of await consumer.consume({ max_messages: 1 })) await publish(job);

  async function publish(job: JsMsg): Promise<void> {
    const { key, message } = job.json<Planned>();
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return job.ack();
    const afterMs = startAgainIn(post.error);
    if (afterMs !== undefined) return job.nak(afterMs);
    console.error(key, post.error.message);
    job.term(); // it is not delivered again
  }
}
