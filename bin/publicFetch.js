// A fetch function for files that somebody else names: it asks public addresses only.
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { BlockList } from 'node:net';
import { Readable } from 'node:stream';

/** Addresses of one's own machine and network, and those that no host has. */
const ownNetwork = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/127',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
]) {
  const [address, bits] = range.split('/');
  ownNetwork.addSubnet(address, Number(bits), familyOf(address));
}

/**
 * Sends a request without a body, and follows no redirect. The address is judged where the connection takes it from, so
 * a name cannot resolve to another one in between.
 */
export function publicFetch(lookup = dns.lookup) {
  const publicLookup = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error);
      if (found.some(({ address }) => ownNetwork.check(address, familyOf(address))))
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

function familyOf(address) {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
