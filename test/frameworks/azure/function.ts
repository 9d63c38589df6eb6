import { app, type HttpRequest, type HttpResponseInit } from '@azure/functions';

import { respond } from './app.ts';

for (const path of ['webhooks', 'login'])
  app.http(path, { route: `${path}/{*rest}`, methods: ['GET', 'POST'], authLevel: 'anonymous', handler });

async function handler(request: HttpRequest): Promise<HttpResponseInit> {
  const { method, url } = request;
  const headers = new Headers([...request.headers]);
  const body = method === 'POST' ? await request.arrayBuffer() : null;
  const answer = await respond(new Request(url, { method, headers, body }));
  return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
}
