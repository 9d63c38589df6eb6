import { describe, expect, test } from 'vitest';

import { caller, pageOf, read, refusal, still } from '../support/caller.ts';

const questions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ question: `Question ${at}?`, payload: `Q${at}` }));
const breakers = (count = 2) => [{ call_to_actions: questions(count), locale: 'default' }];
const menu = [
  {
    locale: 'default',
    composer_input_disabled: false,
    call_to_actions: [{ type: 'postback', title: 'Help', payload: 'HELP' }],
  },
];
const getStarted = { payload: 'START' };

function setting() {
  const sandbox = still();
  const page = pageOf(sandbox);
  const { get, post, del } = caller(sandbox);
  const path = `/${page.id}/messenger_profile`;
  return {
    sandbox,
    page,
    set: (fields: Readonly<Record<string, unknown>>, more: Readonly<Record<string, string>> = {}) =>
      post(path, page.token, {
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
        ...more,
      }),
    read: async (fields: string, more: Readonly<Record<string, string>> = {}) =>
      (await get(path, page.token, { fields, ...more })).body.data,
    remove: (fields: string, more: Readonly<Record<string, string>> = {}) =>
      del(path, page.token, { fields, ...more }),
  };
}

describe('the profile of a Page', () => {
  test('is set property by property, and read', async () => {
    const { set, read } = setting();
    const greeting = [{ locale: 'default', text: 'Hello' }];

    expect(await read('greeting,get_started')).toEqual([]);
    expect((await set({ greeting })).body).toEqual({ result: 'success' });
    await set({ get_started: getStarted, persistent_menu: menu });

    expect(await read('greeting,get_started,persistent_menu')).toEqual([
      { greeting, get_started: getStarted, persistent_menu: menu },
    ]);
  });

  test('gives ice breakers in the form in which they were set', async () => {
    const { set, read } = setting();

    await set({ ice_breakers: breakers() });
    expect(await read('ice_breakers')).toEqual(breakers());
    await set({ ice_breakers: questions(3) });
    expect(await read('ice_breakers')).toEqual([{ ice_breakers: questions(3) }]);
  });

  test('goes property by property', async () => {
    const { set, read, remove, sandbox } = setting();
    await set({ get_started: getStarted, ice_breakers: breakers() });

    expect((await remove('["ice_breakers"]')).body).toEqual({ success: 'true' });
    expect((await remove('get_started')).body).toEqual({ result: 'success' });
    expect(await read('ice_breakers,get_started')).toEqual([]);
    expect(sandbox.effects('profile')).toHaveLength(3);
  });

  test('has a menu with a Get Started button only', async () => {
    const { set, remove } = setting();

    expect(refusal(await set({ persistent_menu: menu }))).toEqual([400, 100, 2_018_145]);
    await set({ get_started: getStarted, persistent_menu: menu });
    expect(refusal(await remove('get_started'))).toEqual([400, 100, 2_018_145]);
  });

  test.each<Readonly<Record<string, unknown>>>([
    {},
    { ice_breakers: breakers(5) },
    { ice_breakers: [{ call_to_actions: questions(1), locale: 'de_DE' }] },
    { persistent_menu: [{ ...menu[0], locale: 'de_DE' }] },
    { persistent_menu: [{ ...menu[0], call_to_actions: Array(21).fill({}) }] },
    { greeting: [{ locale: 'de_DE', text: 'Hallo' }] },
    { whitelisted_domains: Array(51).fill('https://a.test') },
  ])('refuses %j', async (fields) => {
    const { set, sandbox } = setting();

    expect(refusal(await set(fields))).toEqual([400, 100, undefined]);
    expect(sandbox.effects()).toEqual([]);
  });
});

describe('the profile of an account', () => {
  test('is its own, in page mode', async () => {
    const { set, read, remove } = setting();
    const platform = { platform: 'instagram' };

    expect((await set({ ice_breakers: breakers(), persistent_menu: menu }, platform)).body).toEqual({
      success: true,
    });
    expect(await read('ice_breakers', platform)).toEqual(breakers());
    expect(await read('ice_breakers')).toEqual([]);
    expect((await remove('ice_breakers', platform)).body).toEqual({ success: true });
    expect(refusal(await set({ get_started: getStarted }, platform))).toEqual([400, 100, undefined]);
  });

  test('is set as JSON in login mode', async () => {
    const { account, fetch, platform } = still();
    const url = `${platform.picsGraphUrl}/v26.0/me/messenger_profile?access_token=${account.token}`;
    const set = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ platform: 'instagram', persistent_menu: menu }),
      headers: { 'content-type': 'application/json' },
    });
    const { body } = await read(await fetch(`${url}&fields=persistent_menu`));

    expect(await set.json()).toEqual({ success: true });
    expect(body.data).toEqual([{ persistent_menu: menu }]);
  });
});
