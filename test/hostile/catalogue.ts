import * as core from '../../src/core/index.ts';
import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import { graphBase, picsGraphBase, platform } from '../support/context.ts';
import { addCore } from './catalogue/core.ts';
import { createKit, plainSecrets, type Secrets, type Subject } from './catalogue/kit.ts';
import { addPage } from './catalogue/page.ts';
import { addPics } from './catalogue/pics.ts';

export type { Contexts, Options, Subject } from './catalogue/kit.ts';

/** The catalogue: every function that can be imported from the three entries. */
export function catalogue(secrets: Secrets = plainSecrets): readonly Subject[] {
  const subjects: Subject[] = [];
  const kit = createKit(subjects, secrets);
  addPage(kit);
  addPics(kit);
  addCore(kit);
  return subjects;
}

/** Functions that create or end something, and send nothing. Their inputs are tested outside the catalogue. */
export const makers = {
  page: ['createPageContext', 'createPageContextFromEnv', 'splitMessage'],
  pics: [
    'createPicsContext',
    'createPicsContextViaPages',
    'createPicsContextFromEnv',
    'createPicsContextViaPagesFromEnv',
    'splitMessage',
  ],
  core: [
    'bind',
    'close',
    'createJournal',
    'createWriteMemory',
    'forgetKey',
    'errorFromJSON',
    'isFinal',
    'isRefreshDue',
    'isSdkError',
    // A function of the caller's is its input.
    'untilSettled',
    'journalState',
    'memoryJournal',
    'openKeys',
    'settleKey',
    'withOptions',
  ],
};

/** Names of the functions that can be imported, by entry; error classes are not among them. */
export const exportedFunctions: Readonly<Record<'page' | 'pics' | 'core', readonly string[]>> = {
  page: functionsOf(page),
  pics: functionsOf(pics),
  core: functionsOf(core),
};

/** Every origin that a token may go to. */
export const trustedOrigins = new Set(
  [graphBase, picsGraphBase, ...Object.values(platform)].map((address) => new URL(address).origin),
);

function functionsOf(module: object): readonly string[] {
  return Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .map(([name]) => name);
}
