// What each function counts against, as its requests say.
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { lanes } from '../../src/core/http/types.ts';
import { createGovernor, type Governor } from '../../src/governor/index.ts';
import { apart, rates, useOf } from '../../src/governor/uses.ts';
import { createPageContext } from '../../src/page/context.ts';
import * as pageInbox from '../../src/page/inbox.ts';
import * as leads from '../../src/page/leads.ts';
import * as messageTemplates from '../../src/page/messageTemplates.ts';
import { createPicsContext, createPicsContextViaPages } from '../../src/pics/context.ts';
import * as hashtags from '../../src/pics/hashtags.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { endpoints, firstPage, spotIn } from '../functions/index.ts';

/** The functions of what is counted apart: messages, leads, and what is found of others. */
const apartOf = [
  Object.keys({ ...pageInbox, ...messageTemplates }),
  // One of them reads an ad.
  Object.keys(leads).filter((one) => one !== 'adContext'),
  [...Object.keys(hashtags), 'businessDiscovery'],
];

describe.each(endpoints.flatMap((one) => one.realms.map((realm) => ({ ...one, realm }))))(
  '$platform $name ($realm)',
  ({ name, entry, realm, call }) => {
    test('counts against a Page or an account and its subject, in the lane that its entry in test/functions says', async () => {
      const now = Date.now();
      const sandbox = createSandbox({
        now: () => now,
        posts: 2,
        comments: 2,
        leads: 1,
        callbacks: async ({ url }) => new Response(new URL(url).searchParams.get('hub.challenge')),
      });
      const { app, picsApp, platform, fetch, clock, account } = sandbox;
      const seen = new Set<string>();
      const taken = new Set<string | undefined>();
      const subjects = new Set<string | undefined>();
      const governor: Governor = {
        ...createGovernor(),
        govern: (attempt) => (prepared, number) => {
          const use = useOf(prepared, number);
          if (use) seen.add(use.account);
          if (use) subjects.add(/\d*$/.exec(use.learned)?.[0]);
          if (use) taken.add(lanes[use.lane]);
          return attempt(prepared, number);
        },
      };
      const common = { platform, fetch, clock, governor };
      const context = {
        page: () => createPageContext({ ...common, appId: app.id, appSecret: app.secret }),
        login: () => createPicsContext({ ...common, appId: picsApp.id, appSecret: picsApp.secret }),
        viaPages: () => createPicsContextViaPages({ ...common, appId: app.id, appSecret: app.secret }),
      }
        [realm]()
        ._unsafeUnwrap();
      const target = { page: firstPage(sandbox), account };
      const prepared = (await entry.prepare?.({ sandbox, context, at: spotIn(realm, target) })) ?? '';
      seen.clear();
      taken.clear();
      subjects.clear();

      const made = call(context, entry.options(spotIn(realm, target, { prepared })));
      await ('next' in made ? made.next() : made);

      const known = ['', account.userId, ...sandbox.pages.flatMap(({ id, picsId = '' }) => [id, picsId])];
      expect([...seen].filter((one) => !known.includes(one))).toEqual([]);
      const subject = apartOf.findIndex((functions) => functions.includes(name));
      expect([...subjects]).toEqual(subjects.size === 0 ? [] : [subject < 0 ? '' : `${subject}`]);
      expect(taken.size === 0 || taken.has('publish')).toBe(taken.size === 0 || entry.lane === 'publish');
    });
  },
);

test('nothing is counted that no function asks for', () => {
  const sources = ['page', 'pics', 'messaging'].flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`src/${room}/${file}`, 'utf8')),
  );
  const ends = [...apart.flat(), ...Object.keys(rates).map((rate) => rate.slice(1).split(' ')[0] ?? '')];
  const isAsked = (end: string): boolean =>
    sources.some((text) =>
      new RegExp(
        `(?:[/']|countsAs: ')${end.replace(/^(?:recent|top)(?=_media)/, '\\$\\{wanted}')}['\`]`,
      ).test(text),
    );
  expect(ends.filter((end) => !isAsked(end))).toEqual([]);
});
