// The engines of this folder, as a worker process starts them: what is returned adds a job.
import { RedisBackend } from '@agendajs/redis-backend';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DBOS } from '@dbos-inc/dbos-sdk';
import * as restate from '@restatedev/restate-sdk';
import { Agenda } from 'agenda';
import BeeQueue from 'bee-queue';

import * as agendaExample from './agenda.ts';
import * as beeQueue from './bee-queue.ts';
import * as dbos from './dbos.ts';
import { createService } from './restate.ts';
import * as sqsExample from './sqs.ts';

export const adapters = {
  'bee-queue': async ({ redis, context, onPage }) => {
    const queue = beeQueue.startWorker(redis, context, onPage, 3000);
    return (job) => queue.createJob(job).save();
  },

  'bee-queue, left alone': async ({ redis, context, onPage, publish }) => {
    const queue = new BeeQueue('posts', { redis, stallInterval: 3000 });
    queue.process(({ data }) => publish(context, onPage, data));
    return (job) => queue.createJob(job).save();
  },

  agenda: async ({ redis: { host, port, db }, context, onPage }) => {
    const backend = new RedisBackend({ connectionString: `redis://${host}:${port}/${db}` });
    const agenda = new Agenda({ backend, processEvery: 500 });
    agenda.on('error', (error) => console.error(error));
    await agendaExample.startWorker(agenda, context, onPage, 3000);
    return (job) => agenda.now('posts', job);
  },

  dbos: async ({ url, context, onPage }) => {
    const workflow = dbos.registerWorkflow(context, onPage);
    DBOS.setConfig({ name: 'posts', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false });
    await DBOS.launch();
    return (job) => DBOS.startWorkflow(workflow, { workflowID: 'row-7' })(job);
  },

  restate: async ({ restate: { ingress, admin, port }, context, onPage }) => {
    const logger = () => undefined;
    await restate.serve({ services: [createService(context, onPage)], port, logger });
    const post = async (url, body, headers) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(url, {
        ...init,
        headers: { 'content-type': 'application/json', ...headers },
      });
      if (!response.ok) throw new Error(await response.text());
    };
    return async (job) => {
      await post(`${admin}/deployments`, { uri: `http://127.0.0.1:${port}` });
      await post(`${ingress}/posts/publish/send`, job, { 'idempotency-key': 'row-7' });
    };
  },

  sqs: async ({ sqs: { endpoint, queueUrl }, context, onPage }) => {
    const client = sqsClient(endpoint);
    // A poll of the emulator never ends early: while one takes longer than a message is hidden, it gets it again and again.
    const times = { VisibilityTimeout: 3, WaitTimeSeconds: 1 };
    sqsExample.runWorker(client, queueUrl, context, onPage, times).catch((error) => console.error(error));
    return sending(client, queueUrl);
  },

  'sqs, without a delay': async ({ sqs: { endpoint, queueUrl: QueueUrl }, context, onPage, publish }) => {
    const client = sqsClient(endpoint);
    const asked = { QueueUrl, WaitTimeSeconds: 1, VisibilityTimeout: 3 };
    void (async () => {
      for (;;) {
        const { Messages = [] } = await client.send(new ReceiveMessageCommand(asked));
        for (const { Body, ReceiptHandle } of Messages) {
          const one = { QueueUrl, ReceiptHandle };
          await publish(context, onPage, JSON.parse(Body)).then(
            () => client.send(new DeleteMessageCommand(one)),
            () => client.send(new ChangeMessageVisibilityCommand({ ...one, VisibilityTimeout: 0 })),
          );
        }
      }
    })();
    return sending(client, QueueUrl);
  },
};

function sqsClient(endpoint) {
  const credentials = { accessKeyId: 'nobody', secretAccessKey: 'none' };
  return new SQSClient({ endpoint, region: 'us-east-1', credentials });
}

function sending(client, QueueUrl) {
  return (job) => client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(job) }));
}
