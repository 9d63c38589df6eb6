import * as core from '../../src/core/index.ts';
import { isRecord } from '../functions/holds.ts';
import type { Facts } from '../functions/table.ts';
import { created, paging, token } from '../functions/values.ts';
import { graphBase } from '../support/context.ts';
import type { Options, Subject } from './catalogue.ts';

const sent = { params: { access_token: token, fields: ['id', 'name'], deep: { a: 1 }, none: null } };
const headers = { 'x-trace': 'a' };
const lowLevel = {
  token: 'token',
  params: 'record',
  data: 'anything',
  json: 'anything',
  headers: 'headers',
} as const;
const withToken = { token, params: { fields: ['id', 'name'] } };
const list = { data: [{ id: '1' }, { id: '2' }], paging };
const anything = (): boolean => true;
const pagingKinds = {
  url: 'target',
  token: 'token',
  params: 'record',
  maxItems: 'count',
  pageSize: 'count',
} as const;
const pagingVariants = [
  { url: '42/list', ...sent },
  { url: '42/list', ...sent, maxItems: 5, pageSize: 2 },
  { url: '42/list', ...withToken, maxItems: 5, pageSize: 2 },
];
const parts = [
  { method: 'GET', path: '42', params: { fields: 'id' } },
  { method: 'POST', path: '42', data: { message: 'Hi' } },
] as const;

interface CoreFunction extends Facts<Options> {
  readonly name: string;
  readonly call: Subject['call'];
}

/** The low-level functions of `pagepics/core`. */
export const coreFunctions: CoreFunction[] = [];

function ofCore(name: string, call: Subject['call'], facts: Facts<Options>): void {
  coreFunctions.push({ name, call, ...facts });
}

ofCore(
  'request',
  ({ page: context }, options) =>
    spread(options, (all) => {
      const [method, url] = [all['method'] as core.Method, all['url'] as string];
      return core.request(context, method, url, without(all, ['method', 'url']));
    }) ?? core.request(context, 'GET', '42', options as core.RequestOptions),
  {
    kinds: { method: 'method', url: 'target', ...lowLevel },
    variants: [
      { method: 'POST', url: '42', ...sent, data: { message: 'Hi', access_token: token }, headers },
      { method: 'PUT', url: `${graphBase}/42`, ...sent, json: { access_token: token, deep: [1] }, headers },
      { method: 'PUT', url: `${graphBase}/42`, ...withToken, json: { deep: [1] }, headers },
    ],
    routes: { 'POST 42': created, 'PUT 42': created },
    holds: anything,
  },
);
for (const [exported, method, fn] of [
  ['get', 'GET', core.get],
  ['post', 'POST', core.post],
  ['del', 'DELETE', core.del],
] as const) {
  ofCore(
    exported,
    ({ page: context }, options) =>
      spread(options, (all) => fn(context, all['url'] as string, without(all, ['url']))) ??
      fn(context, '42', options as core.RequestOptions),
    {
      kinds: { url: 'target', ...lowLevel },
      variants:
        exported === 'post'
          ? [
              { url: '42', ...sent, data: new URLSearchParams({ access_token: token }), headers },
              { url: '42', ...sent, json: { access_token: token }, headers },
              { url: '42', ...withToken, data: { message: 'Hi' } },
            ]
          : [
              { url: '42', ...sent, headers },
              { url: '42', ...withToken },
            ],
      routes: { [`${method} 42`]: exported === 'del' ? { success: true } : list },
      holds: anything,
    },
  );
}
ofCore(
  'paginate',
  ({ page: context }, options) =>
    spread(options, (all) => core.paginate(context, all['url'] as string, without(all, ['url']))) ??
    core.paginate(context, '42/list', options as core.PaginateOptions),
  {
    kinds: pagingKinds,
    variants: pagingVariants,
    routes: { 'GET 42/list': list },
    holds: (value: unknown[]) => value.every(isRecord),
  },
);
ofCore('batch', ({ page: context }, options) => core.batch(context, parts, options as core.BatchOptions), {
  kinds: { token: 'token', retry: 'flag' },
  variants: [{ token }, { token, retry: true }],
  routes: {
    'POST ': [
      { code: 200, body: JSON.stringify(list) },
      { code: 200, body: JSON.stringify(created) },
    ],
  },
  failures: [],
  holds: (value: unknown[]) => value.length === parts.length,
});
ofCore(
  'iterate',
  ({ page: context }, options) =>
    spread(options, (all) => core.iterate(context, all['url'] as string, without(all, ['url']))) ??
    core.iterate(context, '42/list', options as core.PaginateOptions),
  {
    kinds: pagingKinds,
    variants: pagingVariants,
    routes: { 'GET 42/list': list },
    holds: anything,
  },
);
ofCore(
  'appSecretProof',
  (_, options) =>
    spread(options, ({ token: text, secret }) => core.appSecretProof(text as string, secret as string)) ??
    core.appSecretProof(options as string, options as string),
  {
    kinds: { token: 'non-empty', secret: 'non-empty' },
    variants: [{ token, secret: 'app-secret' }],
    failures: [],
    holds: (value: string) => /^[\da-f]{64}$/.test(value),
  },
);
/** Options without some of them; none is read. */
function without(options: Options, names: readonly string[]): Options {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(options));
  const rest = descriptors.filter(([name]) => !names.includes(name));
  return Object.defineProperties({}, Object.fromEntries(rest)) as Options;
}

/** Calls a function of several arguments with the fields of one object, where there is one. */
function spread<TResult>(options: unknown, call: (options: Options) => TResult): TResult | undefined {
  return typeof options === 'object' && options !== null && ('url' in options || 'token' in options)
    ? call(options as Options)
    : undefined;
}
