import { respond } from './app.ts';

Deno.serve({ port: Number(process.env['PORT'] ?? 3000) }, respond);
