import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function runWorker(
  sqs: SQSClient,
  QueueUrl: string,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  // The jobs of killed workers come back after `VisibilityTimeout`, so the `deadlineMs` of the context is shorter.
  times = { VisibilityTimeout: 300, WaitTimeSeconds: 20 },
): Promise<void> {
  for (;;) {
    const asked = { QueueUrl, MaxNumberOfMessages: 10, ...times };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(asked));
    await Promise.all(Messages.map(publish));
  }

  async function publish({ Body = '', ReceiptHandle }: Message): Promise<void> {
    const { key, message } = JSON.parse(Body) as Planned;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    const afterMs = post.isErr() ? startAgainIn(post.error) : undefined;
    if (afterMs !== undefined) {
      const VisibilityTimeout = Math.min(Math.ceil(afterMs / 1000), 43_000); // up to 12 hours
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
      return;
    }
    if (post.isErr()) console.error(key, post.error.message); // a person looks
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}
