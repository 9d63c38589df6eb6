import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { listen } from '../../support/server.ts';

/** A platform that asks for a video in parts. It loses the responses to some, counted from 1, after it took them. */
export async function startPartServer(partBytes: number, lost: readonly number[]) {
  const hash = createHash('sha256');
  let parts = 0;
  let starts = 0;
  let held = 0;
  let size = 0;

  function range(): object {
    return { start_offset: String(held), end_offset: String(Math.min(size, held + partBytes)) };
  }

  /** The response to a request; none where it is lost. */
  function respond(method: string, body: Buffer): object | undefined {
    if (method === 'GET') return { id: '9', status: { video_status: 'ready' }, post_id: '77' };
    const form = body.toString('latin1', 0, 2000);
    if (form.includes('upload_phase=finish')) return { success: true };
    if (form.includes('upload_phase=start')) {
      starts += 1;
      size = Number(/file_size=(\d+)/.exec(form)?.[1]);
      return { upload_session_id: '5', video_id: '9', ...range() };
    }
    const start = Number(/name="start_offset"\r\n\r\n(\d+)/.exec(form)?.[1]);
    const from = form.indexOf('\r\n\r\n', form.indexOf('video_file_chunk')) + 4;
    const chunk = body.subarray(from, body.lastIndexOf('\r\n--'));
    if (start === held) {
      hash.update(chunk);
      held += chunk.length;
    }
    parts += 1;
    return lost.includes(parts) ? undefined : range();
  }

  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const value = respond(request.method ?? '', Buffer.concat(chunks));
      if (value === undefined) return request.socket.destroy();
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(value));
    });
  });
  const { origin, close } = await listen(server);
  return {
    origin,
    parts: () => parts,
    starts: () => starts,
    digest: () => hash.copy().digest('hex'),
    close,
  };
}
