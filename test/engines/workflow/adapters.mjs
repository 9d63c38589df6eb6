// The Workflow SDK in its Postgres world, as a worker process starts it: what is returned starts a workflow.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Built by the program, from the folder `workflows`.
const built = new URL('.well-known/workflow/v1/', import.meta.url);

export const adapters = {
  workflow: async ({ url, context, onPage, isFirst }) => {
    // It looks for its world from here.
    process.chdir(import.meta.dirname);
    Object.assign(process.env, {
      WORKFLOW_TARGET_WORLD: '@workflow/world-postgres',
      WORKFLOW_POSTGRES_URL: url,
    });
    globalThis.made = { context, onPage };
    if (isFirst) {
      const setUp = new URL('node_modules/@workflow/world-postgres/bin/setup.js', import.meta.url).pathname;
      execFileSync(process.execPath, [setUp], { stdio: 'ignore' });
    }
    const routes = {};
    const respond = async (request, response) => {
      const body = await new Response(request).arrayBuffer();
      const route = routes[new URL(request.url, 'http://localhost').pathname];
      const init = { method: 'POST', headers: request.headers, body };
      const answer = route
        ? await route(new Request(`http://localhost${request.url}`, init))
        : new Response(null, { status: 404 });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    };
    const server = createServer((...both) => void respond(...both)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.PORT = `${server.address().port}`;
    for (const name of ['flow', 'step']) {
      const { POST } = await import(new URL(`${name}.js`, built));
      routes[`/.well-known/workflow/v1/${name}`] = POST;
    }
    const { start } = await import('workflow/api');
    const { getWorld } = await import('workflow/runtime');
    await getWorld().start?.();
    const { workflows } = JSON.parse(readFileSync(new URL('manifest.json', built), 'utf8'));
    const [{ workflowId }] = Object.values(workflows).flatMap((file) =>
      Object.entries(file).flatMap(([name, one]) => (name === 'publishPlanned' ? [one] : [])),
    );
    return (job) => start({ workflowId }, [job]);
  },
};
