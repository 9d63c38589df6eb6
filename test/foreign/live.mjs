// The live hosts, led to a served sandbox: these clients have their addresses built in.
import http from 'node:http';
import https from 'node:https';

import { livePlatform } from '../../src/core/platform.ts';
import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';

/** Serves a sandbox, and sends what goes to the live platform there until `close` is called. */
export async function serveLive() {
  const sandbox = createSandbox({
    requireProof: false,
    // An app that responds to every handshake.
    callbacks: async ({ url }) => new Response(new URL(url).searchParams.get('hub.challenge')),
  });
  const served = await serveSandbox(sandbox);
  const bases = Object.entries(livePlatform)
    .filter(([, address]) => typeof address === 'string')
    .map(([name, address]) => [
      new URL(address).origin,
      at(served.platform[name], new URL(address).pathname),
    ]);
  const toServed = (address) => {
    const base = bases.find(([origin]) => address.startsWith(`${origin}/`));
    return base === undefined ? address : base[1] + address.slice(base[0].length);
  };

  const originals = { request: https.request, get: https.get, fetch: globalThis.fetch };
  https.request = (...args) => redirected(args, toServed, originals.request);
  https.get = (...args) => {
    const request = https.request(...args);
    request.end();
    return request;
  };
  globalThis.fetch = (input, init) =>
    input instanceof Request
      ? originals.fetch(new Request(toServed(input.url), input), init)
      : originals.fetch(toServed(String(input)), init);

  return {
    sandbox,
    /** A person's consent in the login dialog; the callback address. */
    authorize: (address, decision) => sandbox.authorize(toServed(String(address)), decision),
    close: async () => {
      Object.assign(https, { request: originals.request, get: originals.get });
      globalThis.fetch = originals.fetch;
      await served.close();
    },
  };
}

/** The served address without the path that the live one has as well. */
function at(address, path) {
  return path === '/' ? address : address.slice(0, -path.length);
}

function redirected(args, toServed, original) {
  const [first, ...rest] = args;
  const options = typeof first === 'string' || first instanceof URL ? fromUrl(new URL(first), rest) : first;
  const host = options.hostname ?? options.host;
  const address = `https://${host}${options.path ?? '/'}`;
  const target = toServed(address);
  if (target === address) return original(...args);
  const { hostname, port, pathname, search } = new URL(target);
  const { agent: _, agents: __, ...kept } = options;
  return http.request(
    { ...kept, protocol: 'http:', host: hostname, hostname, port, path: pathname + search },
    rest.find((one) => typeof one === 'function'),
  );
}

function fromUrl({ hostname, pathname, search }, rest) {
  const options = rest.find((one) => typeof one === 'object');
  return { ...options, hostname, path: pathname + search };
}
