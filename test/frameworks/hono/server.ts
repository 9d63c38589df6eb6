import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { respond } from './app.ts';

const app = new Hono();
for (const path of ['/webhooks/*', '/login/*']) app.all(path, (c) => respond(c.req.raw));
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) });
