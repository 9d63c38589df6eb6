import { connect } from 'node:net';

const genuine = `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`;

function post(headers: string, body: string): string {
  return `POST /webhooks HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
}

/** A body that comes to no end. */
export const unsigned = post('Content-Length: 4000000', 'x'.repeat(100_000));
/** Another one, which looks signed. */
export const unfinished = post(`${genuine}Content-Length: 100`, '{');

/** What strangers send to an address that anybody can reach, and the status that each gets; `''` if they hang up. */
export const strangers: readonly (readonly [what: string, text: string, status: RegExp])[] = [
  ['hangs up in its body', post('Content-Length: 100', '{'), /^$/],
  ['hangs up in a body that looks signed', post(`${genuine}Content-Length: 100`, '{'), /^$/],
  ['comes to no end, unsigned', unsigned, /^401$/],
  ['comes to no end, in parts', post('Transfer-Encoding: chunked', '5\r\n{"obj\r\n'), /^401$/],
  ['breaks its encoding', post(`${genuine}Transfer-Encoding: chunked`, '1\r\n{\r\nZZ\r\n'), /^400$/],
  ['is too large', post(`${genuine}Content-Length: 6000000`, 'x'.repeat(5_000_000)), /^413$/],
  ['has an address that is none', 'GET // HTTP/1.1\r\nHost: x\r\n\r\n', /^4/],
  ['has another', 'POST http://[/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}', /^4/],
  ['has a host that is none', 'POST /webhooks HTTP/1.1\r\nHost: [[\r\nContent-Length: 2\r\n\r\n{}', /^4/],
  ['has no host', 'POST /webhooks HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}', /^4/],
  ['has a method of no Request', 'TRACE /webhooks HTTP/1.1\r\nHost: x\r\n\r\n', /^4/],
  ['has a body beside its GET', `GET /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`, /^403$/],
  [
    'has bytes for a signature',
    post('x-hub-signature-256: sha256=\u00ff\u00fe\r\nContent-Length: 2', '{}'),
    /^401$/,
  ],
  ['has two signatures', post(`${genuine}${genuine}Content-Length: 2`, '{}'), /^401$/],
];

/** Sends bytes over a connection of its own; the status that comes back. It ends the connection then, or at once. */
export function sendRaw(port: number, text: string, hangsUp = false): Promise<string> {
  return new Promise((resolve) => {
    let status = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, 'latin1', () => {
        if (hangsUp) setTimeout(() => socket.destroy(), 20);
      });
    });
    socket.on('data', (data) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? status;
      if (!hangsUp) socket.destroy();
    });
    // A server may end a connection whose body it does not want.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(hangsUp ? '' : status));
  });
}
