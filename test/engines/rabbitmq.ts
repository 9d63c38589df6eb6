import type { ChannelModel, ConsumeMessage } from 'amqplib';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function startWorker(
  connection: ChannelModel,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  queue = 'posts',
  type: 'quorum' | 'classic' = 'quorum',
): Promise<void> {
  const channel = await connection.createConfirmChannel();
  const failed = { deadLetterExchange: '', deadLetterRoutingKey: `${queue}.failed` };
  await channel.assertQueue(`${queue}.failed`, { arguments: { 'x-queue-type': type } });
  await channel.assertQueue(queue, { ...failed, arguments: { 'x-queue-type': type } });
  await channel.prefetch(10);
  // What is not acknowledged comes again once the connection is closed.
  const report = (error: Error): void => console.error(error.message);
  await channel.consume(queue, (job) => void (job && publish(job).catch(report)));

  async function publish(job: ConsumeMessage): Promise<void> {
    const { key, message } = JSON.parse(job.content.toString()) as Planned;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return channel.ack(job);
    const afterMs = startAgainIn(post.error);
    if (afterMs === undefined) return channel.nack(job, false, false); // into the queue of what failed
    await delay(job.content, Math.ceil(afterMs / 1000));
    channel.ack(job);
  }

  /** A queue for each delay: in one for all, a message would wait for those that came before it. Its end is the first queue. */
  async function delay(content: Buffer, seconds: number): Promise<void> {
    const later = `${queue}.later.${seconds}`;
    await channel.assertQueue(later, {
      messageTtl: seconds * 1000,
      expires: (seconds + 60) * 1000,
      deadLetterExchange: '',
      deadLetterRoutingKey: queue,
      // By default, a message can be lost on its way from one queue into the other.
      arguments: {
        'x-queue-type': 'quorum',
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    });
    channel.sendToQueue(later, content, { persistent: true });
    await channel.waitForConfirms();
  }
}
