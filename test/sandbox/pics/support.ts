import type { Sandbox } from '../../../src/sandbox/index.ts';
import { pageOf, proofOf, read, type Reply } from '../support/caller.ts';

type Params = Readonly<Record<string, string>>;

export interface Mode {
  readonly name: 'login' | 'page';
  /** Path of the account. */
  readonly account: string;
  /** Path of the node that has the conversations. */
  readonly inbox: string;
  readonly token: string;
  readonly get: (path: string, params?: Params) => Promise<Reply>;
  readonly post: (path: string, form?: Params, query?: Params) => Promise<Reply>;
  readonly json: (path: string, body: object) => Promise<Reply>;
  readonly del: (path: string, params?: Params) => Promise<Reply>;
}

export const modes = ['login', 'page'] as const;

/** Calls as a correct client does in a mode. Page mode adds a proof. */
export function as(name: Mode['name'], sandbox: Sandbox, own?: string): Mode {
  const { account, app, platform } = sandbox;
  const login = name === 'login';
  const token = own ?? (login ? account.token : pageOf(sandbox).token);
  const base = login ? platform.picsGraphUrl : platform.graphUrl;
  const proof = login ? {} : { appsecret_proof: proofOf(app.secret, token) };
  function address(path: string, query: Params = {}): string {
    return `${base}/v26.0${path}?${new URLSearchParams({ ...query, access_token: token, ...proof })}`;
  }
  async function send(path: string, query: Params | undefined, init?: RequestInit): Promise<Reply> {
    return read(await sandbox.fetch(address(path, query), init));
  }
  return {
    name,
    token,
    account: login ? '/me' : `/${account.userId}`,
    inbox: login ? '/me' : `/${pageOf(sandbox).id}`,
    get: (path, params) => send(path, params),
    post: (path, form = {}, query) => send(path, query, { method: 'POST', body: new URLSearchParams(form) }),
    json: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return send(path, {}, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    del: (path, params) => send(path, params, { method: 'DELETE' }),
  };
}

export const idsOf = (reply: Pick<Reply, 'body'>): string[] =>
  reply.body.data.map((one: { id: string }) => one.id);

export const second = 1000;
export const hour = 3_600_000;
export const day = 24 * hour;
export const jpeg = 'https://media.example/a.jpg';
export const mp4 = 'https://media.example/a.mp4';

/** Makes a container, and returns its id. */
export async function container(mode: Mode, form: Params): Promise<string> {
  return (await mode.post(`${mode.account}/media`, form)).body.id;
}
