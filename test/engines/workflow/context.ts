// What the worker made before it loads the workflow. In an app, this creates the context.
import type { PageContext } from 'pagepics/page';

interface Made {
  readonly context: PageContext;
  readonly onPage: { readonly pageId: string; readonly pageToken: string };
}

export const { context, onPage } = (globalThis as unknown as { readonly made: Made }).made;
