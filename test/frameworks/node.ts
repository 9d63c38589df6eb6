import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a framework has read of a body before, as functions-framework does, and NestJS if it is told to. */
type Incoming = IncomingMessage & { readonly rawBody?: Uint8Array; readonly originalUrl?: string };

/** A listener of Node's http, from a function of a `Request`. It never rejects. */
export function listener(respond: (request: Request) => Response | Promise<Response>) {
  return async (incoming: Incoming, outgoing: ServerResponse): Promise<void> => {
    try {
      const answer = await respond(toRequest(incoming));
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    } catch {
      outgoing.writeHead(400).end(); // an address or a method that is none
    }
    // What nobody read of a body would stand in the way of the next request, for which a proxy keeps the connection.
    incoming.removeAllListeners('readable').resume();
  };
}

/** The body is a stream: the handler looks at the signature first, and reads for at most its `timeoutMs`. */
function toRequest(incoming: Incoming): Request {
  const { method = 'GET', url = '/', originalUrl = url, rawBody, readableEnded } = incoming;
  const headers = new Headers();
  for (const name of ['cookie', 'content-type', 'x-hub-signature-256'])
    headers.set(name, String(incoming.headers[name] ?? ''));
  const unread = rawBody ? new Uint8Array(rawBody) : readableEnded ? null : streamOf(incoming);
  const body = method === 'POST' ? unread : null;
  const init = { method, headers, body, duplex: 'half' as const };
  return new Request(`http://localhost${originalUrl}`, init);
}

/** Nothing is read before the handler asks for it, and the connection stays open, so that the response can be sent. */
function streamOf(incoming: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const parts = incoming[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
