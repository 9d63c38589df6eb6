import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { afterAll, expect, test } from 'vitest';

// A strict consumer of the built package, which checks the declarations of its libraries as well.
const consumer = `
import * as root from 'pagepics';
import * as core from 'pagepics/core';
import * as models from 'pagepics/models';
import * as page from 'pagepics/page';
import * as pics from 'pagepics/pics';
import * as sandbox from 'pagepics/sandbox';

declare const context: page.PageContext;
declare const bytes: Uint8Array;
declare const bunFetch: typeof globalThis.fetch & { preconnect(url: string): void };
const settings = { appId: '1', appSecret: 's' };
export const all = [root, core, models, page, pics, sandbox];
export const fetches = [
  page.createPageContext({ ...settings, fetch }),
  page.createPageContext({ ...settings, fetch: globalThis.fetch }),
  page.createPageContext({ ...settings, fetch: bunFetch }),
  page.createPageContext({ ...settings, fetch: (input, init) => fetch(input, init) }),
  page.createPageContext({ ...settings, fetch: async (request) => new Response(String(request)) }),
  page.createPageContext({ ...settings, fetch: sandbox.createSandbox().fetch }),
  // @ts-expect-error a fetch answers with a Response
  page.createPageContext({ ...settings, fetch: async () => 7 }),
];
export const bodies = [
  core.post(context, '4/feed', { data: { message: 'Hi' } }),
  core.post(context, '4/feed', { data: 'message=Hi' }),
  core.post(context, '4/feed', { data: bytes }),
  core.post(context, '4/feed', { data: bytes.buffer as ArrayBuffer }),
  core.post(context, '4/feed', { data: new Blob([]) }),
  core.post(context, '4/feed', { data: new FormData() }),
  core.post(context, '4/feed', { data: new URLSearchParams() }),
  core.post(context, '4/feed', { data: new Blob([]).stream() }),
  // @ts-expect-error a number is no body; where a type turned to any, it would be
  core.post(context, '4/feed', { data: 7 }),
];
`;
const folder = 'test/.declarations';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['Node without the DOM', ['es2023'], ['node']],
  ['the DOM without Node', ['es2023', 'dom'], []],
  ['the DOM with Node', ['es2023', 'dom', 'dom.iterable'], ['node']],
])('the declarations compile for %s', { timeout: 60_000 }, (_, lib, types) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/consumer.ts`, consumer);
  const compilerOptions = {
    lib,
    types,
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));

  let errors = '';
  try {
    execFileSync('tsc', ['-p', folder], { encoding: 'utf8' });
  } catch (failed) {
    errors = (failed as { readonly stdout: string }).stdout;
  }

  expect(errors).toBe('');
});
