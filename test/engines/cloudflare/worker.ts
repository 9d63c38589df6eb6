// What miniflare runs: the Workflow, the journal, and what the worker process asks for. Only it can ask.

export { PublishingJournal } from './context.ts';
export { PublishPlanned } from './publishPlanned.ts';

interface Environment {
  readonly POSTS: {
    create(options: { readonly id: string; readonly params: unknown }): Promise<unknown>;
    get(id: string): Promise<{ restart(): Promise<void> }>;
  };
}

export default {
  async fetch(request: Request, { POSTS }: Environment): Promise<Response> {
    if (request.method === 'PUT') await POSTS.create({ id: 'row-7', params: await request.json() });
    if (request.method === 'POST') await (await POSTS.get('row-7')).restart();
    return new Response(null, { status: 204 });
  },
};
