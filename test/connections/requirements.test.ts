import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { type ConnectionClient, requirements, scopesFor } from '../../src/connections/index.ts';
import { livePlatform } from '../../src/core/platform.ts';
import * as page from '../../src/page/endpoints.ts';
import * as pics from '../../src/pics/endpoints.ts';

const { picsScopePrefix } = livePlatform.words;
const rows = Object.entries(requirements).flatMap(([client, functions]) =>
  Object.entries(functions).map(([name, row]) => ({ client, name, row })),
);

test('every function has a row, in each mode that has it', () => {
  expect(Object.keys(requirements.page).toSorted()).toEqual(Object.keys(page).toSorted());
  const ofModes = [...Object.keys(requirements['pics-login']), ...Object.keys(requirements['pics-pages'])];
  expect([...new Set(ofModes)].toSorted()).toEqual(Object.keys(pics).toSorted());
  expect(requirements['pics-login']).not.toHaveProperty('deleteMedia');
  expect(requirements['pics-pages']).not.toHaveProperty('refreshToken');
});

test('docs/connections.md says what to write for each permission', () => {
  const [, section = ''] =
    /\n## App Review\n([\s\S]*?)\n## /.exec(readFileSync('docs/connections.md', 'utf8')) ?? [];
  const told = [...section.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, name = '']) => name);
  const needed = rows.flatMap(({ row }) =>
    row.permissions.map((name) => name.replace(picsScopePrefix, 'pics_')),
  );
  expect(told.toSorted()).toEqual([...new Set(needed)].toSorted());
});

test('permissions bring along what the dialog asks for with them', () => {
  const companions: Readonly<Record<string, readonly string[]>> = {
    pages_read_engagement: ['pages_show_list'],
    pages_read_user_content: ['pages_show_list'],
    pages_manage_metadata: ['pages_show_list'],
    pages_manage_ads: ['pages_show_list'],
    pages_manage_posts: ['pages_read_engagement', 'pages_show_list'],
    read_insights: ['pages_read_engagement', 'pages_show_list'],
    pages_manage_engagement: ['pages_read_user_content', 'pages_show_list'],
    pages_messaging: ['pages_manage_metadata', 'pages_show_list'],
    business_management: ['pages_read_engagement', 'pages_show_list'],
    leads_retrieval: ['ads_management', 'pages_manage_ads', 'pages_read_engagement', 'pages_show_list'],
    [`${picsScopePrefix}basic`]: ['pages_show_list'],
  };
  for (const { client, name, row } of rows) {
    const ofAccounts = row.permissions.filter((one) => one.startsWith(picsScopePrefix));
    const basic = picsScopePrefix + (client === 'pics-login' ? 'business_basic' : 'basic');
    const brought = [
      ...row.permissions.flatMap((permission) => companions[permission] ?? []),
      ...(ofAccounts.length > 0 ? [basic] : []),
    ];
    expect(row.permissions, `${client} ${name}`).toEqual(expect.arrayContaining(brought));
    expect(row.permissions, `${client} ${name}`).toEqual([...new Set(row.permissions)].toSorted());
  }
});

describe('scopesFor', () => {
  test('gives what functions need together, each once, sorted', () => {
    expect(scopesFor('page', ['publishPost', 'comments'])._unsafeUnwrap()).toEqual([
      'pages_manage_posts',
      'pages_read_engagement',
      'pages_read_user_content',
      'pages_show_list',
    ]);
    expect(scopesFor('pics-login', ['publish', 'profile'])._unsafeUnwrap()).toEqual([
      `${picsScopePrefix}business_basic`,
      `${picsScopePrefix}business_content_publish`,
    ]);
    expect(scopesFor('page', [])._unsafeUnwrap()).toEqual([]);
  });

  test.each([
    ['page', ['publish'], 'functions[0]'],
    ['page', ['constructor'], 'functions[0]'],
    ['pics-login', ['publish', 'deleteMedia'], 'functions[1]'],
    ['page', undefined, 'functions'],
    ['page', [7], 'functions[0]'],
    ['pages', ['publishPost'], 'client'],
    ['toString', ['publishPost'], 'client'],
  ])('refuses what it does not know: %s %j', (client, functions, option) => {
    const error = scopesFor(client as ConnectionClient, functions as string[])._unsafeUnwrapErr();
    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

test('nothing of the table can be changed', () => {
  expect(Object.isFrozen(requirements)).toBe(true);
  for (const { row } of rows) expect(Object.isFrozen(row)).toBe(true);
});
