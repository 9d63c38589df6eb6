// The engines of this folder, as a worker process starts them: what is returned adds a job.
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectToNats, nanos } from '@nats-io/transport-node';
import { connect as connectToRabbitMq } from 'amqplib';
import { Queue } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Redis } from 'ioredis';
import { PgBoss } from 'pg-boss';

import * as bullmq from './bullmq.ts';
import * as graphileWorker from './graphile-worker.ts';
import * as nats from './nats.ts';
import * as pgBoss from './pg-boss.ts';
import * as rabbitmq from './rabbitmq.ts';
import * as redisStreams from './redis-streams.ts';
import * as skipLocked from './skip-locked.ts';

export const adapters = {
  'pg-boss': async ({ url, context, onPage }) => {
    const boss = new PgBoss({
      connectionString: url,
      max: 2,
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
    });
    boss.on('error', (error) => console.error(error));
    await boss.start();
    await pgBoss.startWorker(boss, context, onPage, 5);
    return (job) => boss.send('posts', job);
  },

  bullmq: async ({ redis, context, onPage }) => {
    const worker = bullmq.startWorker(redis, context, onPage, 3000);
    worker.on('error', (error) => console.error(error));
    const queue = new Queue('posts', { connection: redis });
    return (job) => queue.add('post', job, { jobId: 'row-7' });
  },

  'graphile-worker': async ({ pool, context, onPage }) => {
    await graphileWorker.startWorker(pool, context, onPage, 5);
    return await adding(pool);
  },

  'graphile-worker, left alone': async ({ pool, context, onPage, publish }) => {
    const posts = (payload) => publish(context, onPage, payload);
    await run({ pgPool: pool, taskList: { posts } });
    return await adding(pool);
  },

  'rabbitmq, quorum': (settings) => rabbitMq(settings, 'quorum'),
  'rabbitmq, classic': (settings) => rabbitMq(settings, 'classic'),

  // As many deliveries as a queue of RabbitMQ 4 allows by default.
  'rabbitmq, without a delay': async ({ amqp, queue, context, onPage, publish }) => {
    const connection = await connectToRabbitMq(amqp);
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue(queue, { arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 20 } });
    await channel.prefetch(10);
    await channel.consume(queue, (job) => {
      const isDone = settles(publish(context, onPage, JSON.parse(job.content)));
      void isDone.then((is) => (is ? channel.ack(job) : channel.nack(job)));
    });
    return (job) => channel.sendToQueue(queue, Buffer.from(JSON.stringify(job)), { persistent: true });
  },

  nats: async ({ natsPort, context, onPage }) => {
    const connection = await connectToNats({ port: natsPort });
    nats.runWorker(connection, context, onPage, 3000).catch((error) => console.error(error));
    return await publishing(connection);
  },

  'nats, without a delay': async ({ natsPort, context, onPage, publish }) => {
    const connection = await connectToNats({ port: natsPort });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'posts', subjects: ['posts'] });
    const limits = { ack_wait: nanos(3000), max_deliver: 5 };
    await manager.consumers.add('posts', { durable_name: 'workers', ack_policy: 'explicit', ...limits });
    const consumer = await jetstream(connection).consumers.get('posts', 'workers');
    void (async () => {
      for await (const job of await consumer.consume({ max_messages: 1 }))
        if (await settles(publish(context, onPage, job.json()))) job.ack();
        else job.nak();
    })();
    return await publishing(connection);
  },

  'redis streams': async ({ redis, context, onPage }) => {
    const client = new Redis(redis);
    redisStreams
      .runWorker(client, context, onPage, `worker ${process.pid}`, 3000)
      .catch((error) => console.error(error));
    const other = new Redis(redis);
    return (job) => other.xadd('posts', '*', 'job', JSON.stringify(job));
  },

  'skip locked': async ({ pool, context, onPage }) => {
    await pool.query(skipLocked.table);
    skipLocked.runWorker(pool, context, onPage, 3).catch((error) => console.error(error));
    return ({ key, message }) =>
      pool.query('insert into planned (key, message) values ($1, $2)', [key, message]);
  },
};

async function rabbitMq({ amqp, queue, context, onPage }, type) {
  const connection = await connectToRabbitMq(amqp);
  await rabbitmq.startWorker(connection, context, onPage, queue, type);
  const channel = await connection.createConfirmChannel();
  return async (job) => {
    channel.sendToQueue(queue, Buffer.from(JSON.stringify(job)), { persistent: true });
    await channel.waitForConfirms();
  };
}

async function publishing(connection) {
  // The stream is made meanwhile.
  const manager = await jetstreamManager(connection);
  const isThere = () => manager.consumers.info('posts', 'workers').then(Boolean, () => false);
  while (!(await isThere())) await new Promise((resolve) => void setTimeout(resolve, 20));
  return (job) => jetstream(connection).publish('posts', JSON.stringify(job));
}

const settles = (promise) =>
  promise.then(
    () => true,
    () => false,
  );

async function adding(pgPool) {
  const utils = await makeWorkerUtils({ pgPool, logger: new Logger(() => () => undefined) });
  return (job) => utils.addJob('posts', job);
}
