// The loopback server of the benchmark, in its own process, so that it does not slow the client. It answers as the platform
// does: compressed, in chunks, and without a length; and on a second port in the same chunks, but plain.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

import { me, posts, postsInside } from './responses.mjs';

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

function listen(encoding) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [name] = /[a-z_]+(?=$|\?)/.exec(request.url) ?? [];
      const body = (bodies.get(name) ?? bodies.get('me'))[encoding];
      response.writeHead(200, { ...headers, ...(encoding === 'gzip' && { 'content-encoding': encoding }) });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2000 }, () => resolve(server));
  });
}

const servers = await Promise.all(['gzip', 'plain'].map(listen));
const [gzip, plain] = servers.map((server) => server.address().port);
process.send({ gzip, plain });
process.on('disconnect', () => process.exit());
