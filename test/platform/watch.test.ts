import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { createPageClient } from '../../src/page/client.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { differences, listsIn, merged, type Objects } from './sdkLists.ts';

const sdk = JSON.parse(readFileSync('test/platform/officialSdk.json', 'utf8')) as {
  readonly objects: Objects;
  readonly alsoKnown: Objects;
};

test('the lists of a source are read without running it', () => {
  const source = `
    export default class Page extends AbstractCrudObject {
      static get Fields (): Object {
        return Object.freeze({
          about: 'about',
          id: 'id',
        });
      }
      static get Order (): Object {
        return Object.freeze({
          chronological: 'chronological',
        });
      }
      getEdge (fields: Array<string>) { return { not: 'one' }; }
    }`;

  expect(listsIn(source)).toEqual({ Fields: ['about', 'id'], Order: ['chronological'] });
});

test('what is new and what is gone is told, a line each, and nothing if all is known', () => {
  const before: Objects = { page: { Fields: ['id', 'about'] }, lead: { Fields: ['id'] } };
  const after: Objects = {
    page: { Fields: ['id', 'threads'], SubscribedFields: ['feed', 'agent_messages'] },
  };

  expect(differences(before, after)).toEqual([
    'new in page, Fields: threads',
    'gone from page, Fields: about',
    'new in page, SubscribedFields: feed, agent_messages',
    'gone from lead, Fields: id',
  ]);
  expect(differences(before, before)).toEqual([]);
  const more: Objects = { page: { SubscribedFields: ['feed', 'agent_messages'], Fields: ['threads'] } };
  expect(differences(merged(before, more), merged(before, more))).toEqual([]);
  expect(merged(before, more)['page']).toEqual({
    Fields: ['id', 'about', 'threads'],
    SubscribedFields: ['feed', 'agent_messages'],
  });
});

test('the sandbox knows each topic that a Page can be subscribed to', async () => {
  const { app, pages, fetch, platform, effects } = createSandbox({ strict: true });
  const client = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
  const [page] = pages;
  const fields = merged(sdk.objects, sdk.alsoKnown)['page']?.['SubscribedFields'] ?? [];

  expect(fields.length).toBeGreaterThan(80);
  await client.subscribePage({ pageId: page?.id ?? '', pageToken: page?.token ?? '', fields });

  expect(effects('subscribe').map(({ content }) => content['fields'])).toEqual([fields]);
});
