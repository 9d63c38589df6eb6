import { Elysia } from 'elysia';

import { respond } from './app.ts';

const app = new Elysia();
for (const path of ['/webhooks', '/webhooks/*', '/login/*'])
  app.all(path, ({ request }) => respond(request), { parse: 'none' });
app.listen(Number(process.env['PORT'] ?? 3000));
