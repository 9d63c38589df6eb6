import { request } from 'node:http';

import { serveUi } from '../../../src/sandbox/cli.ts';
import type { SandboxOptions, ServedSandbox } from '../../../src/sandbox/index.ts';
import { start } from '../support/caller.ts';

interface Visit {
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Visitor extends ServedSandbox {
  /** Visits an address as a browser does. */
  readonly visit: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Visit>;
  /** Sends a form as a page of the server does. */
  readonly submit: (
    path: string,
    fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Visit>;
}

export async function visited(options: SandboxOptions = {}): Promise<Visitor> {
  const server = await serveUi({ now: () => start, requireProof: false, ...options }, { port: 0 });
  return {
    ...server,
    visit: (path, headers) =>
      send('GET', new URL(path, server.url), { accept: 'text/html,*/*;q=0.8', ...headers }),
    submit: (path, fields, headers) => {
      const type = 'application/x-www-form-urlencoded';
      const body = new URLSearchParams(fields as Record<string, string>).toString();
      return send(
        'POST',
        new URL(path, server.url),
        {
          'content-type': type,
          'content-length': String(Buffer.byteLength(body)),
          origin: server.url,
          ...headers,
        },
        body,
      );
    },
  };
}

/** `fetch` cannot send any `Host`. */
function send(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, location: headers.location, headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
