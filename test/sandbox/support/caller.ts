import { createHmac } from 'node:crypto';

import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';

export const start = Date.UTC(2026, 9, 5, 12);

/** A sandbox whose clock moves only when it is advanced. */
export function still(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ strict: true, now: () => start, ...options });
}

export function proofOf(secret: string, token: string): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of a response, and fail if it is missing
export type Loose = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Loose;
}

type Params = Readonly<Record<string, string>>;

export interface Caller {
  readonly get: (path: string, token: string, params?: Params) => Promise<Reply>;
  readonly post: (path: string, token: string, form?: Params | FormData) => Promise<Reply>;
  readonly del: (path: string, token: string, params?: Params) => Promise<Reply>;
}

/** Calls the graph as a correct client does: token and proof in the query, fields of a write in the body. */
export function caller(sandbox: Sandbox, fetch = sandbox.fetch, platform = sandbox.platform): Caller {
  function address(path: string, token: string, params: Params = {}): URL {
    const url = new URL(`${platform.graphUrl}/v26.0${path}`);
    const proof = proofOf(sandbox.app.secret, token);
    const query = { ...params, access_token: token, appsecret_proof: proof };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
  return {
    get: async (path, token, params) => read(await fetch(address(path, token, params))),
    post: async (path, token, form) => {
      const body = form instanceof FormData ? form : new URLSearchParams(form);
      return read(await fetch(address(path, token), { method: 'POST', body }));
    },
    del: async (path, token, params) => read(await fetch(address(path, token, params), { method: 'DELETE' })),
  };
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: json(text) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Code and subcode of a refusal. */
export function refusal({ status, body }: Reply): (number | undefined)[] {
  return [status, body?.error?.code, body?.error?.error_subcode];
}

export function pageOf(sandbox: Sandbox, index = 0): Sandbox['pages'][number] {
  const page = sandbox.pages[index];
  if (page === undefined) throw new Error(`no Page ${index}`);
  return page;
}
