// The engines of this folder, as a worker process starts them: what is returned adds a job.
import { Queue } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';

import * as bullmq from './bullmq.ts';
import * as graphileWorker from './graphile-worker.ts';
import * as pgBoss from './pg-boss.ts';

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
};

async function adding(pgPool) {
  const utils = await makeWorkerUtils({ pgPool, logger: new Logger(() => () => undefined) });
  return (job) => utils.addJob('posts', job);
}
