import { respond } from './app.ts';

Bun.serve({ port: process.env['PORT'] ?? 3000, fetch: respond });
