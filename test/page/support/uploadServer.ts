import { createHash, type Hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen } from '../../support/server.ts';

/** What the server does with one attempt of the upload, instead of accepting all of it. */
export type Behaviour =
  | { readonly cutAfter: number }
  | { readonly response: readonly [status: number, body: string, headers?: Record<string, string>] }
  | { readonly takeAndCut: true }
  | { readonly stall: true }
  | { readonly bytesPerMs: number };

/** An attempt of the upload, as the server saw it. */
interface Attempt {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  bytes: number;
}

/**
 * A platform with one Page, one video and one container, on a port of its own. Bytes are hashed, not kept.
 */
export async function startUploadServer(script: readonly Behaviour[] = []) {
  const behaviours = [...script];
  const attempts: Attempt[] = [];
  const paths: string[] = [];
  let held = 0;
  let size = NaN;
  let hash: Hash = createHash('sha256');

  const server = createServer((request, response) => {
    // The client may end a connection; the test does not fail.
    request.on('error', () => undefined);
    void respond(request, response).catch(() => request.destroy());
  });
  // No time limit for slow clients.
  server.requestTimeout = 0;
  const { origin, close } = await listen(server);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    paths.push(`${request.method} ${url.split('?')[0]}`);
    if (/^\/(?:video|ig-api)-upload\//.test(url)) return take(request, response);
    if (request.method === 'GET') {
      const status = held === size ? 'complete' : 'in_progress';
      if (url.includes('status_code')) {
        return reply(response, 200, {
          status_code: held === size ? 'FINISHED' : 'IN_PROGRESS',
          video_status: { uploading_phase: { status, bytes_transferred: held } },
        });
      }
      return reply(response, 200, { status: { uploading_phase: { status, bytes_transfered: held } } });
    }
    let form = '';
    for await (const chunk of request) form += String(chunk);
    if (form.includes('upload_phase=finish')) return reply(response, 200, { success: true, post_id: 77 });
    if (form.includes('upload_type=resumable')) {
      return reply(response, 200, { id: '9', uri: `${origin}/ig-api-upload/v26.0/9` });
    }
    if (form.includes('creation_id')) return reply(response, 200, { id: '77' });
    return reply(response, 200, { video_id: '9', upload_url: `${origin}/video-upload/v26.0/9` });
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const behaviour = behaviours.shift();
    const seen: Attempt = { url: request.url ?? '', headers: request.headers, bytes: 0 };
    attempts.push(seen);
    if (behaviour !== undefined && 'response' in behaviour) {
      const [status, body, headers] = behaviour.response;
      for await (const _ of request);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
      return;
    }
    if (behaviour !== undefined && 'stall' in behaviour) return;
    if (Number(request.headers['offset']) === 0) {
      hash = createHash('sha256');
      held = 0;
    }
    size = Number(request.headers['file_size']);
    const limit = behaviour !== undefined && 'cutAfter' in behaviour ? behaviour.cutAfter : Infinity;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, limit - seen.bytes);
      hash.update(kept);
      held += kept.length;
      seen.bytes += kept.length;
      if (seen.bytes === limit) return void request.destroy();
      if (behaviour !== undefined && 'bytesPerMs' in behaviour) {
        await new Promise((resolve) => setTimeout(resolve, chunk.length / behaviour.bytesPerMs));
      }
    }
    if (behaviour !== undefined && 'takeAndCut' in behaviour) return void request.socket.destroy();
    reply(response, 200, { success: true });
  }

  function reply(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  return {
    origin,
    attempts,
    paths,
    /** Hash of the bytes that are held. */
    digest: () => hash.copy().digest('hex'),
    close,
  };
}
