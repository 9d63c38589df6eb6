// What `test/packed.test.ts` compiles against the installed tarball: values that the public types take, and refuse.
import * as root from 'pagepics';
import * as connections from 'pagepics/connections';
import * as core from 'pagepics/core';
import * as governor from 'pagepics/governor';
import * as journal from 'pagepics/journal';
import * as media from 'pagepics/media';
import * as models from 'pagepics/models';
import * as page from 'pagepics/page';
import * as pics from 'pagepics/pics';
import * as sandbox from 'pagepics/sandbox';
import * as webhooks from 'pagepics/webhooks';

declare const context: page.PageContext;
declare const bytes: Uint8Array;
declare const bunFetch: typeof globalThis.fetch & { preconnect(url: string): void };
const settings = { appId: '1', appSecret: 's' };
export const all = [root, core, connections, governor, journal, media, models, page, pics, sandbox, webhooks];
export const fetches = [
  page.createPageContext({ ...settings, fetch }),
  page.createPageContext({ ...settings, fetch: globalThis.fetch }),
  page.createPageContext({ ...settings, fetch: bunFetch }),
  page.createPageContext({ ...settings, fetch: (input, init) => fetch(input, init) }),
  page.createPageContext({
    ...settings,
    fetch: async (request) => new Response(request instanceof Request ? request.url : null),
  }),
  page.createPageContext({ ...settings, fetch: sandbox.createSandbox().fetch }),
  // @ts-expect-error a fetch resolves to a Response
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
