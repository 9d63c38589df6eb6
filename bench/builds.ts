// The build that is measured, and the one that it is compared with: `--against` names the folder of a clone of an earlier
// version, in which `npm ci` and `npm run build` were run.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as Core from '../dist/core/index.js';
import type * as Governors from '../dist/governor/index.js';
import type * as Page from '../dist/page/index.js';
import type * as Journals from '../dist/stores/index.js';
import type * as Webhooks from '../dist/webhooks/index.js';

const option = process.argv.indexOf('--against');
const folder = option < 0 ? undefined : resolve(process.argv[option + 1] ?? '.');

export interface Build {
  /** `own`, or `before` for the earlier one. */
  readonly name: string;
  readonly version: string;
  readonly core: typeof Core;
  readonly page: typeof Page;
  readonly governor: typeof Governors;
  readonly journal: typeof Journals;
  readonly webhooks: typeof Webhooks;
}

/** This build, then the earlier one. What is measured must be in both. */
export const builds: readonly Build[] = [
  await open('own', join(import.meta.dirname, '..')),
  ...(folder === undefined ? [] : [await open('before', folder)]),
];

async function open(name: string, root: string): Promise<Build> {
  const { version, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly exports: Readonly<Record<string, { readonly default: string }>>;
  };
  const load = async <TModule>(entry: string): Promise<TModule> => {
    const file = join(root, exports[`./${entry}`]?.default ?? '');
    if (!existsSync(file)) throw new Error(`${root} is not built: run npm ci and npm run build in it`);
    // The exports of a build of this package.
    return (await import(pathToFileURL(file).href)) as TModule;
  };
  return {
    name,
    version,
    core: await load<typeof Core>('core'),
    page: await load<typeof Page>('page'),
    governor: await load<typeof Governors>('governor'),
    journal: await load<typeof Journals>('journal'),
    webhooks: await load<typeof Webhooks>('webhooks'),
  };
}
