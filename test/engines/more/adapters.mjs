// The engines of this folder, as a worker process starts them: what is returned adds a job.
import { RedisBackend } from '@agendajs/redis-backend';
import { DBOS } from '@dbos-inc/dbos-sdk';
import * as restate from '@restatedev/restate-sdk';
import { Agenda } from 'agenda';
import BeeQueue from 'bee-queue';

import * as agendaExample from './agenda.ts';
import * as beeQueue from './bee-queue.ts';
import * as dbos from './dbos.ts';
import { createService } from './restate.ts';

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
};
