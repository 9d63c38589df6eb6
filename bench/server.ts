// The loopback server of the benchmark, in its own process, so that it does not slow the client. It answers as the platform
// does: compressed, in chunks, and without a length; and on a second port in the same chunks, but plain.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { me, posts, postsInside } from './responses.ts';

const lists = { published_posts: posts(100), inside: postsInside(100) };
const bodies = new Map(
  Object.entries({ me, ...lists }).map(([name, body]) => {
    const plain = Buffer.from(JSON.stringify(body));
    return [name, { plain, gzip: gzipSync(plain) }];
  }),
);
const headers = {
  'content-type': 'application/json; charset=UTF-8',
  'transfer-encoding': 'chunked',
  vary: 'Accept-Encoding',
  'x-app-usage': '{"call_count":2,"total_cputime":1,"total_time":3}',
  'facebook-api-version': 'v26.0',
  'cache-control': 'private, no-cache, no-store, must-revalidate',
};

async function listen(encoding: 'gzip' | 'plain'): Promise<number> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [name = ''] = /[a-z_]+(?=$|\?)/.exec(request.url ?? '') ?? [];
      const body = bodies.get(name) ?? bodies.get('me');
      response.writeHead(200, { ...headers, ...(encoding === 'gzip' && { 'content-encoding': encoding }) });
      response.end(body?.[encoding]);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2000 }, resolve);
  });
  // It listens at an address, not at a pipe.
  return (server.address() as AddressInfo).port;
}

process.send?.({ gzip: await listen('gzip'), plain: await listen('plain') });
process.on('disconnect', () => process.exit());
