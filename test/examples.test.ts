import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { createSandbox } from '../src/sandbox/index.ts';
import { bareEnvironment } from './support/machine.ts';

interface Run {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs an example as `npm run example` does, in a process of its own, against the package as it is built. */
async function run(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const child = spawn(process.execPath, ['scripts/example.mjs', ...(name === '' ? [] : [name]), ...args], {
    env: { ...bareEnvironment, ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { code, output, errors };
}

/** Secrets that no output may hold. Sandboxes of equal seeds have equal tokens, so those of another one will do. */
const secrets = secretsOfSandbox();

function secretsOfSandbox(): readonly string[] {
  const { app, picsApp, user, pages, account } = createSandbox({ strict: true });
  const tokens = [user.token, account.token, ...pages.map(({ token }) => token)];
  const proofs = tokens.flatMap((token) =>
    [app, picsApp].map(({ secret }) => createHmac('sha256', secret).update(token).digest('hex')),
  );
  return [app.secret, picsApp.secret, ...tokens, ...proofs];
}

/** The patterns that the output does not match, in this order. */
function inOrder(output: string, patterns: readonly RegExp[]): readonly RegExp[] {
  let rest = output;
  return patterns.filter((pattern) => {
    const found = pattern.exec(rest);
    if (found !== null) rest = rest.slice(found.index + found[0].length);
    return found === null;
  });
}

const examples: readonly [name: string, lines: readonly RegExp[]][] = [
  [
    'quickstart',
    [
      /emulated at http:\/\/127\.0\.0\.1:\d+/,
      /== loginUrl, then exchangeCode\n/,
      /-> +POST \/graph\/v26\.0\/oauth\/access_token 200/,
      /== me, pages, posts\n/,
      /page +\{"id":"\d{17}","name":"Harbour Coffee","pics_username":"harbour"\}/,
      /== publishPost\n.*POST \/graph\/v26\.0\/\d+\/feed 200.*\n +post +\{"id":"\d+_\d+"\}/,
      /== publishPost, and its response is lost\n +-> +POST \/graph\/v26\.0\/\d+\/feed: the network failed.*\n.*GET \/graph\/v26\.0\/\d+\/published_posts 200.*\n +found +\{"id":"\d+_\d+"\}/,
      /made +1 post with this text/,
      /== publish, a photo/,
      /media_publish 400.*: the photo is not ready yet/,
      /photo +\{"container_id":"\d{17}","media_id":"\d{17}"\}/,
      /== publish, a Reel/,
      /waiting +IN_PROGRESS after \d+ ms/,
      /waiting +FINISHED after \d+ ms/,
      /reel +\{"container_id":"\d{17}","media_id":"\d{17}"\}/,
      /post +\{"id":"\d+_\d+","message":"Open until nine tonight\."\}/,
      /media +\{"id":"\d+","type":"REELS","caption":"A tour of the shop"\}/,
      /media +\{"id":"\d+","type":"FEED","caption":"The new window"\}/,
      /err +\{"name":"ApiError","category":"not_found","message":".*does not exist/,
      /thrown +ApiError: .*does not exist/,
      /Done\./,
    ],
  ],
  [
    'answer-once',
    [
      /== two processes, each with a webhook and a poll; 20 comments come in\n/,
      /killed +one of them, after \d+ answers\n/,
      /requests +4, delivered \d+ times until each was answered with 200\n/,
      /answered +20 of 20 comments, by [23] processes\n +twice +0 comments\n/,
      /Done\./,
    ],
  ],
  [
    'answer-with-statuses',
    [
      /== a stranger, without the key\n +answered 401\n/,
      /== a post\n +answered 201\n/,
      /== a post without a text\n +answered 400\n.*message must be a non-empty string/,
      /== a dead token\n +answered 403\n.*"action":"login"/,
      /== a missing permission\n +answered 403\n.*"category":"permission"/,
      /== too many calls.*\n +answered 429, Retry-After: 3600\n/,
      /== a block.*\n +answered 403, Retry-After: 3600\n.*"category":"policy","action":"wait"/,
      /== a fault.*\n +answered 502\n.*"category":"transient".*"outcome":"unknown"/,
      /== a lost response.*\n +answered 502\n.*"outcome":"unknown"/,
      /Done\./,
    ],
  ],
  [
    'log-in-on-a-server',
    [
      /cookie +Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax\n +answered 403 You did not allow access/,
      /== a callback with another state.*\n.*\n +answered 400 This login was not begun here/,
      /== a code that does not exist\n.*\n.*access_token 400.*\n +answered 403 .*"action":"login"/,
      /== a person says yes\n.*\n.*access_token 200.*\n.*access_token 200.*\n +answered 200 Connected\.\n/,
      /stored +encrypted, for 60 days\n/,
      /profile +\{"username":"harbour"\}\n/,
      /elsewhere does not open\n/,
      /== the job.*\n +job +\[\]\n.*refresh_access_token 200.*\n +job +\["renewed"\]\n/,
      /refresh_access_token 400.*\n +job +\["must log in"\]\n +account +\{"mustLogIn":true\}\n/,
      /Done\./,
    ],
  ],
  [
    'log-in-with-pages',
    [
      /says no\n +answered 403 You did not allow access/,
      /declines most permissions\n +answered 200 .*value="\d{17}" \/> Harbour Coffee<.*>Also allow .*pages_manage_posts/,
      /asked again, and allows all\n +answered 200 (?!.*Also allow).*Fern &amp; Field/,
      /answered 200 Connected\.\n +stored +\{"pages":1,"token":"encrypted"\}\n/,
      /published +\{"id":"\d+_\d+"\}\n +elsewhere does not open\n/,
      /Done\./,
    ],
  ],
  [
    'backfill-leads',
    [
      /== first run/,
      /form +Newsletter: 2 new\n/,
      /created_time.*campaign_name.*answered/,
      /'\d{17}'.*full_name, email, favourite_drinks/,
      /== second run/,
      /form +Newsletter: 2 new\n/,
      /== third run/,
      /form +Newsletter: 0 new, by its newest lead\n/,
      /== fourth run/,
      /: 1 new\n/,
      /unread +Newsletter: 1, which the next run asks for again\n/,
      /== fifth run/,
      /form +Newsletter: 1 new\n/,
    ],
  ],
  [
    'inbox-desk',
    [
      /== Nora Vik: Nora Vik: message 3\n/,
      /messages 200.*\n.*messages 200.*\n +sent +m_/,
      /== Liam Roth/,
      /sent +m_/,
      /== Yuki Sato/,
      /messages 403.*more than 24 hours/,
      /handed +over to a colleague, with 2 messages/,
      /sent +m_/,
      /== Liam Roth: Thank you!\n/,
      /reacted +love/,
      /== Nora Vik: Opening hours\n/,
      /sent +m_\w+: Open until nine\./,
    ],
  ],
  [
    'publish-video-story',
    [
      /file +\d{7} bytes/,
      /start +\.\.\.\n/,
      /upload +\.{10} 0 of \d+ bytes/,
      /cut +\/upload\/.*: the network failed.*\n/,
      /upload +#{10} (\d+) of \1 bytes/,
      /wait +\.\.\.\n/,
      /finish +\.\.\.\n/,
      /story +\{"video_id":"\d{17}","post_id":"\d{17}","success":true\}/,
      /transfer +1500000 bytes from byte 0 on/,
      /transfer +\d+ bytes from byte 1500000 on/,
      /file +complete, byte for byte/,
      /phases +complete, complete, complete/,
      /story +\{"post_id":"\d{17}","media_type":"video"/,
    ],
  ],
  [
    'publish-reel-in-two-steps',
    [
      /== first process/,
      // Two different processes.
      /process +(\d+)(?=[\s\S]*process +(?!\1\n)\d+\n)/,
      /POST \/graph\/v26\.0\/\d+\/media 200/,
      /state +IN_PROGRESS: the container is not ready/,
      /kept +\{"containerId":"\d{17}"\}/,
      /== second process/,
      /waiting +FINISHED after \d+ ms/,
      /POST \/graph\/v26\.0\/\d+\/media_publish 200/,
      /reel +\{"container_id":"\d{17}","media_id":"\d{17}"\}/,
      /media +\{"id":"\d+","media_product_type":"REELS","caption":"A tour of the shop"/,
    ],
  ],
  [
    'publish-in-a-workflow',
    [
      /== a stranger, without the key\n +answered 401\n/,
      /== a run, whose publishing step fails after its effect\n +run +complete\n/,
      /reel +\{"container_id":"\d{17}","media_id":"\d{17}","attempt":2\}/,
      /POST \/\d+\/media 200/,
      /POST \/\d+\/media_publish 200/,
      /made +1 Reel\n/,
      /Done\./,
    ],
  ],
  [
    'schedule-a-week',
    [
      /== the Page: all of the week, at once\n/,
      /page-reel +\{"video_id":"\d{17}","success":true\}/,
      /waiting +\["Open until nine on Saturday","The new window","A new week, a new roast\."\]/,
      /== day 2: reel\n/,
      /reel +\{"container_id":"\d{17}","media_id":"\d{17}"\}/,
      /== day 4: carousel\n/,
      /media_publish: the network failed/,
      /failed +\{"name":"TransportError","outcome":"unknown","ids":\{"container_id":"\d{17}","children":\["\d{17}","\d{17}","\d{17}"\]\}\}/,
      /== an hour later: the carousel, from its container\n/,
      /carousel +\{"container_id":"\d{17}","media_id":"\d{17}"\}/,
      /== what is there after the week\n/,
      /post +Open until nine on Saturday\n +post +The new window\n +post +A new week, a new roast\.\n/,
      /media +\{"media_type":"CAROUSEL_ALBUM","caption":"Three ways to pour"\}\n +media +\{"media_type":"VIDEO"/,
      /Three ways to pour: published/,
    ],
  ],
  [
    'settle-by-echo',
    [
      /== sendMessage.*\n +-> +POST \/graph\/v26\.0\/\d+\/messages: the network failed/,
      /err +\{"outcome":"unknown"/,
      /== the platform delivers the echo\n +settled +message-1742\n +<- +answered 200\n/,
      /== the queue calls again.*\n +done +\{"recipient_id":"\d+","message_id":"m_\w+"\}\n/,
      /sent +1 message with this text\n/,
      /Done\./,
    ],
  ],
  [
    'share-limits-in-workers',
    [
      /== a stranger, without the key\n +answered 401\n/,
      // Of a limit of fifty calls, one is two percent: at 98, the last one may be one too many.
      /answered 201: (?:4\d|50), 429: 5\d\n +wait +\d+ s or more\n/,
      /quota +\{"calls":(?:4\d|5[01]),"limit":50,"percent":\d+\}\n +refused +[01]\n +made +(?:4\d|50) posts\n/,
      /Done\./,
    ],
  ],
  [
    'set-up-an-inbox',
    [
      /== the first deployment\n.*messenger_profile 200.*\n.*messenger_profile 200.*\n +profile +\{"success":true\}\n/,
      /account +\{"success":true\}\n/,
      /== the second deployment\n.*messenger_profile 200.*\n +profile +as it should be\n/,
      /answered Opening hours, with m_\w+: Open until nine, every day\.\n/,
      /answered Get Started, with m_\w+: Welcome!/,
      /visitor_posts 200.*\n.*blocked 200.*\n +blocked +Wanda Watch\n/,
      /list +\["Wanda Watch"\]\n/,
      /Done\./,
    ],
  ],
  [
    'watch-a-hashtag',
    [
      /searched +\["flatwhite"\]/,
      /== 10:00\n/,
      /new +The first #flatwhite of the day\n +new +A swan, at last #flatwhite\n/,
      /likes 200.*\n +liked +\d{17}\n/,
      /== 10:05\n.*\n.*\n +new +#flatwhite at @harbour\n/,
      /by +yuki\n/,
      /mentions 200.*\n +replied +\d{17}\n/,
      /== 10:10\n.*\n.*\n +new +nothing\n/,
      /account +\{"username":"bluebottle","followers":1280\}/,
      /media +\{"caption":"Our own #flatwhite","like_count":120\}/,
      /nobody +not_found\n/,
      /Done\./,
    ],
  ],
  [
    'answer-messages',
    [
      /== conversations\n/,
      /from +\{"username":"anna","profile":true/,
      /from +\{"username":"bela","profile":false/,
      /== sendMessage to anna\n/,
      /sent +Thank you! We are open until nine\.\n/,
      /== sendMessage to carl\n/,
      /POST \/pics-graph\/v26\.0\/me\/messages 403/,
      /err +\{"name":"PermissionError","category":"window","outcome":"rejected"/,
    ],
  ],
  // What each of those that take their tokens from the environment does: see `howTo.test.ts`.
  ['first-comment', [/^Page: post \d+_\d+, comment \d+_\d+\nAccount: media \d+, comment \d+\n$/]],
  [
    'receive-webhooks',
    [
      /== people act, and the platform delivers\n/,
      /lead +\{"id":"\d{17}","answered":\["full_name","email"\]\}/,
      /comment +answered\n +comment +hidden\n/,
      /message +Hello anna, we are open until nine\./,
      /<- +answered 200\n/,
      /== what the app did comes back, and is left alone\n/,
      /own +comment add\n/,
      /again +feed\n/,
      /own +message\n/,
      /<- +answered 200, 200\n/,
      /== a person removes the app, and wants their data deleted\n/,
      /removed +\d+\n +<- +answered 200\n/,
      /<- +answered 200 \{"url":"https:\/\/example\.org\/deletions\/\w+","confirmation_code":"\w+"\}\n/,
      /Done\./,
    ],
  ],
  [
    'receive-webhooks-in-a-worker',
    [
      /== the handshake\n +answered 200 1158201444\n/,
      /== a lead\n +answered 200, 200\n/,
      /== what waitUntil left\n +lead +\d+\n\n/,
      /Done\./,
    ],
  ],
];

describe.concurrent('an example', () => {
  test.each(examples)('%s runs on a served sandbox and shows what it did', async (name, lines) => {
    const { code, output, errors } = await run(name);

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(inOrder(output, lines)).toEqual([]);
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    expect(output).not.toMatch(/EAAO\w{40}|IGAAK\w{40}|AQ\w{60}|access_token=|appsecret_proof|client_secret/);
    expect(output, 'what people answered on lead forms').not.toMatch(/@sandbox\.test|Mara|Bell/);
  });
});

const names = readdirSync('examples')
  .flatMap((name) => {
    if (existsSync(`examples/${name}/main.ts`)) return [name];
    return name.endsWith('.ts') ? [name.slice(0, -3)] : [];
  })
  .sort();

test('without a name, all examples are listed, with what each shows and how long it takes, if it ends', async () => {
  const { code, output, errors } = await run('');

  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(
    [...output.matchAll(/^([\w-]+)(?: \*)? +(?:\d+ s|-)   \w.*$/gm)].map(([, name]) => name).sort(),
  ).toEqual(names);
});

test('Workers ask for no later day than the runtime that npm installs with miniflare has', () => {
  // Not that of this repository, which `overrides` in package.json makes a newer one.
  const { dependencies } = JSON.parse(readFileSync('node_modules/miniflare/package.json', 'utf8')) as {
    readonly dependencies: { readonly workerd: string };
  };
  const newest = dependencies.workerd.replace(/^1\.(\d{4})(\d\d)(\d\d)\..*/, '$1-$2-$3');
  const files = globSync(['examples/*.{ts,json,jsonc}', 'examples/support/*', 'docs/*.md']);
  const days = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/compatibility(?:Date|_date"?): ['"]([\d-]+)/g)].map(
      ([, day = '']) => ({ file, day }),
    ),
  );

  expect(newest).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(days.length).toBeGreaterThan(3);
  expect(days.filter(({ day }) => day > newest)).toEqual([]);
});

test('with a name that is none, the list is printed as well', async () => {
  const { code, output, errors } = await run('quickstar');

  expect({ code, errors }).toEqual({ code: 1, errors: 'There is no example quickstar.\n\n' });
  expect(output).toContain('quickstart ');
});

test.each(names)('the page on examples lists %s', (name) => {
  expect(readFileSync('docs/examples.md', 'utf8')).toContain(`| \`${name}\``);
});

test.each([
  [{}, 'PAGE_APP_ID'],
  [{ PAGE_APP_ID: '1', PAGE_APP_SECRET: 'app-secret' }, 'PAGE_TOKEN'],
])('the live quickstart says in one line what the environment %j lacks', async (env, name) => {
  const { code, output, errors } = await run('quickstart', ['--live'], env);

  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(new RegExp(`^\\w*Error: ${name} is not set.*\\n$`));
});
