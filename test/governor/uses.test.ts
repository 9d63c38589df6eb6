// What each function counts against, as its requests say.
import { describe, expect, test } from 'vitest';

import { lanes } from '../../src/core/http/types.ts';
import { createGovernor, type Governor } from '../../src/governor/index.ts';
import { useOf } from '../../src/governor/uses.ts';
import { createPageContext } from '../../src/page/context.ts';
import { createPicsContext, createPicsContextViaPages } from '../../src/pics/context.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { endpoints, firstPage, spotIn } from '../functions/index.ts';

describe.each(endpoints.flatMap((one) => one.realms.map((realm) => ({ ...one, realm }))))(
  '$platform $name ($realm)',
  ({ entry, realm, call }) => {
    test('counts against a Page or an account, in the lane that its entry in test/functions says', async () => {
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
      const governor: Governor = {
        ...createGovernor(),
        govern: (attempt) => (prepared, number) => {
          const use = useOf(prepared, number);
          if (use) seen.add(use.account);
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

      const made = call(context, entry.options(spotIn(realm, target, { prepared })));
      await ('next' in made ? made.next() : made);

      const known = ['', account.userId, ...sandbox.pages.flatMap(({ id, picsId = '' }) => [id, picsId])];
      expect([...seen].filter((one) => !known.includes(one))).toEqual([]);
      expect(taken.size === 0 || taken.has('publish')).toBe(taken.size === 0 || entry.lane === 'publish');
    });
  },
);
