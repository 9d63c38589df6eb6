import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';

import { respond } from './app.ts';

const app = new Hono();
for (const path of ['/webhooks/*', '/login/*']) app.all(path, (c) => respond(c.req.raw));
export const handler = handle(app);
