import fastify from 'fastify';

import { respond } from './app.ts';
import { listener } from './node.ts';

const app = fastify();
// The parsers of other routes stay as they are.
await app.register(async (plugin) => {
  plugin.removeAllContentTypeParsers();
  plugin.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const path of ['/webhooks*', '/login*'])
    plugin.all(path, async (request, reply) => {
      reply.hijack();
      await listener(respond)(request.raw, reply.raw);
    });
});
await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
