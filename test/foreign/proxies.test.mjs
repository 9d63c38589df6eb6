// A proxy between a client and the platform, by a dispatcher of `undici`, as `docs/contexts.md` says.
import { createServer } from 'node:http';
import { connect } from 'node:net';

import { Dispatcher1Wrapper, ProxyAgent } from 'undici';
import { expect, test } from 'vitest';

import { createPageClient } from '../../src/index.ts';
import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';

test('a photo goes through a proxy', async () => {
  const tunnels = [];
  const proxy = createServer();
  proxy.on('connect', ({ url }, socket) => {
    tunnels.push(url);
    const [host, port] = url.split(':');
    const onward = connect(port, host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const agent = new ProxyAgent({ uri: `http://127.0.0.1:${proxy.address().port}`, proxyTunnel: true });
  const dispatcher = new Dispatcher1Wrapper(agent);
  const sandbox = createSandbox();
  const served = await serveSandbox(sandbox);
  try {
    const client = createPageClient({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      platform: served.platform,
      fetch: (request, init) => fetch(request, { ...init, dispatcher }),
    });
    const [{ id: pageId, token: pageToken }] = sandbox.pages;
    const photo = Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 4, 1, 1, 0xff, 0xd9);
    const published = await client.publishPhoto({ pageId, pageToken, photo });
    expect(sandbox.effects('photo')).toMatchObject([{ id: published.id }]);
    expect(tunnels).toEqual([new URL(served.platform.graphUrl).host]);
  } finally {
    await served.close();
    await agent.close();
    proxy.close();
    proxy.closeAllConnections();
  }
});
