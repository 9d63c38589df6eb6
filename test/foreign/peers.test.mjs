// The claims of docs/comparison.md about other clients: each cell is measured here, on the sandbox.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';

import { build } from 'esbuild';
import sdk from 'facebook-nodejs-business-sdk';
import facebook from 'fb';
import fbgraph from 'fbgraph';
import { Client, PageField } from 'instagram-graph-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createPageClient } from '../../src/index.ts';
import { serveLive } from './live.mjs';

let live;
beforeEach(async () => {
  live = await serveLive();
});
afterEach(() => live.close());

/** How each client publishes a post, or a photo where it knows no posts, and reads the name of the account. */
const clients = {
  pagepics: ({ app, page }, options = {}) => {
    const retry = { baseDelayMs: 1 };
    const client = createPageClient({ appId: app.id, appSecret: app.secret, retry, ...options });
    const call = { pageId: page.id, pageToken: page.token };
    return {
      publish: (message) => client.publishPost({ ...call, message }),
      read: () => client.pageProfile(call),
    };
  },
  'facebook-nodejs-business-sdk': ({ page }) => {
    sdk.FacebookAdsApi.init(page.token, 'en_US', false);
    const own = new sdk.Page(page.id);
    return { publish: (message) => own.createFeed([], { message }), read: () => own.get(['id', 'name']) };
  },
  fb: ({ app, page }) => {
    const options = { version: 'v26.0', appId: app.id, appSecret: app.secret, accessToken: page.token };
    const client = new facebook.Facebook(options);
    const call = promisify((path, method, params, done) =>
      client.api(path, method, params, (result) => done(result?.error ?? null, result)),
    );
    return {
      publish: (message) => call(`${page.id}/feed`, 'post', { message }),
      read: () => call(page.id, 'get', { fields: 'id,name' }),
    };
  },
  fbgraph: ({ app, page }) => {
    fbgraph.setVersion('26.0').setAccessToken(page.token).setAppSecret(app.secret);
    return {
      publish: (message) => promisify(fbgraph.post.bind(fbgraph))(`${page.id}/feed`, { message }),
      read: () => promisify(fbgraph.get.bind(fbgraph))(`${page.id}?fields=id,name`),
    };
  },
  'instagram-graph-api': ({ page, account }) => {
    const client = new Client(page.token, account.userId);
    return {
      kind: 'media',
      publish: async (caption) => {
        const made = await client
          .newPostPagePhotoMediaRequest('https://example.com/a.jpg', caption)
          .execute();
        return client.newPostPublishMediaRequest(made.getId()).execute();
      },
      read: () => client.newGetPageInfoRequest(PageField.NAME, PageField.USERNAME).execute(),
    };
  },
};

function connect(name, options) {
  const { app, account, pages } = live.sandbox;
  return clients[name]({ app, account, page: pages[0] }, options);
}

/** A Result of a call that may throw anything. */
async function settled(call) {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

/** The publishing request takes effect, and its response is lost, once. */
function loseResponse(kind) {
  const path = kind === 'media' ? '/media_publish' : '/feed';
  return live.sandbox.fault({ method: 'POST', path, when: 'after', drop: true, times: 1 });
}

const rows = {
  'A post goes out, and its response is lost': async (name) => {
    const { publish, kind = 'post' } = connect(name);
    loseResponse(kind);
    const { error } = await settled(() => publish('Once'));
    if (error !== undefined) await publish('Once');
    const made = live.sandbox.effects(kind).length;
    return error === undefined ? `found: ${made} post` : `an error; called again, ${made} posts`;
  },
  'What the error of a lost call shows': async (name) => {
    const { publish, kind } = connect(name, { retry: { baseDelayMs: 1, attempts: 1 } });
    const { pages } = live.sandbox;
    loseResponse(kind);
    if (name === 'pagepics') live.sandbox.fault({ method: 'GET', drop: true });
    const { error } = await settled(() => publish('Once'));
    const shown = `${inspect(error, { depth: 10 })} ${JSON.stringify(error)} ${error.stack}`;
    const isHonest = shown.includes('"outcome":"unknown"');
    return shown.includes(pages[0].token)
      ? 'the token'
      : isHonest
        ? 'that it may have happened'
        : 'a network error';
  },
  'A read gets a 503, once': async (name) => {
    const { read } = connect(name);
    live.sandbox.fault({ method: 'GET', status: 503, times: 1 });
    const { value, error } = await settled(read);
    if (error !== undefined) return 'an error';
    return inspect(value).includes('<html>') ? 'HTML for a value' : 'read again';
  },
  'An id of 20 digits comes as a number': async (name) => {
    const { read } = connect(name);
    const body = '{"id":12345678901234567890,"name":"Harbour","username":"harbour"}';
    live.sandbox.fault({ method: 'GET', status: 200, body, times: 1 });
    return inspect(await read(), { depth: 8 }).includes('12345678901234567890') ? 'exact' : 'rounded';
  },
  'Tokens are signed with the app secret': async (name) => {
    await connect(name).read();
    return 'appsecret_proof' in live.sandbox.requests.at(-1).query ? 'yes' : 'no';
  },
  'Addresses of requests hold the token': async (name) => {
    await connect(name, { tokenTransport: 'header' }).read();
    return 'access_token' in live.sandbox.requests.at(-1).query ? 'yes' : 'not with `tokenTransport`';
  },
  'Bundles for browsers and edge runtimes': async (name) => {
    const stdin = {
      contents: `export * from ${JSON.stringify(nameOf(name))}`,
      resolveDir: import.meta.dirname,
    };
    const { error } = await settled(() =>
      build({ stdin, bundle: true, platform: 'browser', format: 'esm', write: false, logLevel: 'silent' }),
    );
    return error === undefined ? 'yes' : 'no';
  },
  'Tells of a file, before it is sent, what the platform refuses': async (name) => {
    const all = await import(name === 'pagepics' ? '../../src/media/index.ts' : name);
    const names = Object.keys({ ...all.default, ...all });
    const reads = /^(?:check|inspect|judge|validate)\w*(?:media|image|photo|video|file)/i;
    return names.some((one) => reads.test(one)) ? 'yes' : 'no';
  },
  'Types in the package': (name) => {
    const folder = name === 'pagepics' ? '.' : join('test/foreign/node_modules', name);
    const { types, typings, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = exports?.['.']?.types ?? types ?? typings;
    return file !== undefined && (name === 'pagepics' || existsSync(join(folder, file))) ? 'yes' : 'no';
  },
};

function nameOf(name) {
  return name === 'pagepics' ? '../../src/index.ts' : name;
}

/** The cells of the page's first table, by row and client. */
const [table = ''] = /(?:^\|.*\n)+/m.exec(readFileSync('docs/comparison.md', 'utf8')) ?? [];
const [head, , ...lines] = table
  .trim()
  .split('\n')
  .map((line) => line.slice(2, -2).split(' | '));

describe('docs/comparison.md', () => {
  test('has these rows, and these clients in their versions', () => {
    const { dependencies } = JSON.parse(readFileSync('test/foreign/package.json', 'utf8'));
    expect(lines.map(([row]) => row)).toEqual(Object.keys(rows));
    expect(head.slice(1)).toEqual(
      Object.keys(clients).map((name) =>
        name === 'pagepics' ? '`pagepics`' : `\`${name}\` ${dependencies[name]}`,
      ),
    );
  });

  test.each(
    Object.entries(rows).flatMap(([row, measure]) =>
      Object.keys(clients).map((name) => [row, name, measure]),
    ),
  )('%s: %s', async (row, name, measure) => {
    const cells = lines.find(([first]) => first === row) ?? [];
    expect(await measure(name)).toBe(cells[Object.keys(clients).indexOf(name) + 1]);
  });
});
