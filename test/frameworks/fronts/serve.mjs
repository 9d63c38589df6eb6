import { createServer } from 'node:http';

/** Serves what has no server of its own: reads a request whole, and sends what `respond` makes of it. */
export function serve(respond) {
  createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(process.env.PORT, '127.0.0.1');

  async function answer(incoming, outgoing) {
    try {
      const body = Buffer.concat(await incoming.toArray());
      const { method, headers, url } = incoming;
      const { status, headers: sent = {}, body: bytes } = await respond({ method, headers, url, body });
      outgoing.writeHead(status, sent).end(bytes);
    } catch (error) {
      console.error(error);
      outgoing.writeHead(502).end();
    }
  }
}
