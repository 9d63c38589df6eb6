// A fetch function for files that somebody else names: it asks public addresses only.
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

import { isPublicAddress } from '../dist/publicHost.js';

/**
 * Sends a request without a body, and follows no redirect. The address is judged where the connection takes it from, so
 * a name cannot resolve to another one in between.
 */
export function publicFetch(lookup = dns.lookup) {
  const publicLookup = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error);
      if (!found.every(({ address }) => isPublicAddress(address)))
        return done(Object.assign(new Error(`${host} is not public`), { code: 'ENOTPUBLIC' }));
      return options.all ? done(null, found) : done(null, found[0].address, found[0].family);
    });
  return async (url, { method = 'GET', headers: given, signal }) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const headers = { accept: '*/*', 'user-agent': 'pagepics', ...given };
    const sent = request(url, { method, headers, agent: false, signal, lookup: publicLookup });
    // An error after the headers is nobody's.
    sent.on('error', () => {});
    // A host that changes the protocol gives neither a response nor an error.
    const responded = once(sent, 'response', { signal });
    sent.end();
    const [response] = await responded;
    const { statusCode: status } = response;
    const told = Object.entries(response.headers).filter(([, value]) => typeof value === 'string');
    response.on('error', () => {});
    if (method === 'HEAD' || status === 204 || status === 304) {
      response.resume();
      return new Response(null, { status, headers: told });
    }
    return new Response(Readable.toWeb(response), { status, headers: told });
  };
}
