import { H3, serve } from 'h3';

import { respond } from './app.ts';

const app = new H3();
for (const path of ['/webhooks/**', '/login/**']) app.all(path, ({ req }) => respond(req));
serve(app, { port: Number(process.env['PORT'] ?? 3000) });
