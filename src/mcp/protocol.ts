import { fieldsOf } from '../core/options/check.ts';

/** A tool that a client can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: object;
  /** Its side effects: none, a request to a host that the caller names, or a lasting change. */
  readonly effect: 'none' | 'request' | 'change';
  /** Does not throw; what it returns is shown as JSON. */
  readonly run: (args: unknown, signal: AbortSignal) => Promise<ToolResult>;
}

export interface ToolResult {
  readonly value: unknown;
  /** Whether it failed. */
  readonly isError: boolean;
}

export interface Server {
  readonly version: string;
  /** Instructions to the model about all tools. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** The supported versions of the Model Context Protocol, newest first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The longest message that is read, in characters. */
const longestMessage = 1_048_576;

interface Message {
  readonly id?: string | number | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Session {
  readonly server: Server;
  readonly write: (line: string) => void;
  /** What cancels the calls in progress. */
  readonly running: Map<string | number, AbortController>;
  isInitialized: boolean;
}

/** Responds to JSON-RPC messages, one a line, until there are no more and all calls are done. */
export async function serveLines(
  chunks: AsyncIterable<string>,
  write: (line: string) => void,
  server: Server,
): Promise<void> {
  const session: Session = { server, write, running: new Map(), isInitialized: false };
  const tasks = new Set<Promise<void>>();
  for await (const line of linesOf(chunks)) {
    const task = respondTo(session, line).finally(() => tasks.delete(task));
    tasks.add(task);
  }
  await Promise.all(tasks);
}

/** The lines of a text that arrives in chunks; `undefined` for a line that is too long. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = '';
  let isSkipping = false;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isSkipping && line.trim() !== '') yield line;
      isSkipping = false;
    }
    if (rest.length <= longestMessage) continue;
    if (!isSkipping) yield undefined;
    isSkipping = true;
    rest = '';
  }
  if (!isSkipping && rest.trim() !== '') yield rest;
}

async function respondTo(session: Session, line: string | undefined): Promise<void> {
  const message = line === undefined ? undefined : parsed(line);
  if (message === undefined)
    return send(session, failure(null, -32_700, 'the message is not JSON, or too long'));
  // A batch, which the version of 2025-03-26 has.
  if (Array.isArray(message) && message.length > 0) {
    const responses = await Promise.all(message.map((one) => responseTo(session, one)));
    const given = responses.filter((one) => one !== undefined);
    return given.length === 0 ? undefined : send(session, given);
  }
  const response = await responseTo(session, message);
  if (response !== undefined) send(session, response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON does not escape these, and some readers treat them as line breaks. */
const lineEnds = /[\u0085\u2028\u2029]/g;

function send({ write }: Session, response: unknown): void {
  const line = JSON.stringify(response);
  write(line.replaceAll(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** The response to a request; none to a notification, to a response, and to a request that was cancelled. */
async function responseTo(session: Session, given: unknown): Promise<object | undefined> {
  const message = messageIn(given);
  if (message === undefined) return failure(idIn(given) ?? null, -32_600, 'this is not a JSON-RPC request');
  if (message === 'response') return undefined;
  const { id, method } = message;
  if (id === undefined) {
    notify(session, message);
    return undefined;
  }
  if (session.running.has(id)) return failure(id, -32_600, 'a request with this id is in progress');
  const cancel = new AbortController();
  session.running.set(id, cancel);
  try {
    const response = await resultOf(session, id, message, cancel.signal);
    return cancel.signal.aborted && method !== 'initialize' ? undefined : response;
  } finally {
    session.running.delete(id);
  }
}

function messageIn(given: unknown): Message | 'response' | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const { jsonrpc, method, params = {} } = fieldsOf(given);
  if (jsonrpc !== '2.0') return undefined;
  if (method === undefined && ('result' in given || 'error' in given)) return 'response';
  const id = idIn(given);
  if ('id' in given && id === undefined) return undefined;
  if (typeof method !== 'string' || typeof params !== 'object' || params === null) return undefined;
  return { id, method, params: fieldsOf(params) };
}

function idIn(given: unknown): string | number | undefined {
  const { id } = fieldsOf(given);
  // A larger number has lost digits, and would be another id.
  return typeof id === 'string' || (typeof id === 'number' && Math.abs(id) < 2 ** 53) ? id : undefined;
}

function notify({ running }: Session, { method, params }: Message): void {
  if (method !== 'notifications/cancelled') return;
  const id = idIn({ id: params['requestId'] });
  if (id !== undefined) running.get(id)?.abort();
}

async function resultOf(
  session: Session,
  id: string | number,
  { method, params }: Message,
  signal: AbortSignal,
): Promise<object> {
  const { server } = session;
  if (method === 'ping') return success(id, {});
  if (method === 'initialize') {
    session.isInitialized = true;
    return success(id, welcome(server, params['protocolVersion']));
  }
  if (!session.isInitialized) return failure(id, -32_600, 'the first request is initialize');
  if (method === 'tools/list') return success(id, { tools: server.tools.map(described) });
  if (method !== 'tools/call') return failure(id, -32_601, `there is no method ${method}`);
  const wanted = params['name'];
  if (typeof wanted !== 'string') return failure(id, -32_602, 'the name of a tool is a text');
  const tool = server.tools.find(({ name }) => name === wanted);
  if (tool === undefined) return failure(id, -32_602, `there is no tool ${wanted}`);
  const { value, isError } = await tool.run(params['arguments'] ?? {}, signal);
  return success(id, { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], isError });
}

function welcome({ version, instructions }: Server, asked: unknown): object {
  return {
    protocolVersion: versions.find((one) => one === asked) ?? versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'pagepics', version },
    instructions,
  };
}

function described({ name, description, inputSchema, effect }: Tool): object {
  const annotations = {
    readOnlyHint: effect === 'none',
    destructiveHint: effect === 'change',
    idempotentHint: true,
    openWorldHint: true,
  };
  return { name, description, inputSchema, annotations };
}

function success(id: string | number, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
