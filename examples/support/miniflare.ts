/** The small part of miniflare that is used: its own types only compile next to those of Cloudflare's platform. */
interface Miniflare {
  readonly ready: Promise<URL>;
  getKVNamespace(name: string): Promise<KeyValues>;
  /** One of several Workers. */
  getWorker(name: string): Promise<{ fetch(url: string, init?: RequestInit): Promise<Response> }>;
  dispose(): Promise<void>;
}

interface KeyValues {
  list(): Promise<{ readonly keys: readonly { readonly name: string }[] }>;
  get(key: string): Promise<string | null>;
}

export async function startWorker(options: Readonly<Record<string, unknown>>): Promise<Miniflare> {
  const name: string = 'miniflare';
  const { Miniflare } = (await import(name)) as { readonly Miniflare: new (options: object) => Miniflare };
  return new Miniflare(options);
}
