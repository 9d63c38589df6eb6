#!/usr/bin/env bash
# @azure/functions 4.16.5: of several `Set-Cookie` in the `headers` of a response, in the form of `Headers` or of a list of
# pairs, only the last is sent; the others are gone without a word. It copies headers one by one into an object by name. Its own
# `cookies` are all sent, but there each has to be taken apart into name, value and attributes.
#
# It matters for whatever answers with a `Response` of the Fetch API, such as an app of Hono or a library for logins: there,
# cookies are headers. `response.headers.getSetCookie()` has them, to be taken apart for `cookies`.
#
# The host's side of the protocol is played here: its module `@azure/functions-core` is what the host gives the package.
#
# Seen:
#   in headers: b=2
#   as cookies: a, b
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @azure/functions@4.16.5
cat >check.cjs <<'JS'
const Module = require('node:module');

const functions = {};
let model;
const core = {
  version: '4.0.0',
  hostVersion: '4.1000.0',
  log: () => undefined,
  registerFunction: (metadata, callback) => void (functions[metadata.name] = { metadata, callback }),
  registerHook: () => ({ dispose: () => undefined }),
  setProgrammingModel: (given) => void (model = given),
};
const load = Module._load;
Module._load = (name, ...rest) => (name === '@azure/functions-core' ? core : load(name, ...rest));
const { app } = require('@azure/functions');

app.http('headers', {
  methods: ['GET'],
  handler: () => {
    const headers = new Headers();
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    return { status: 204, headers };
  },
});
app.http('cookies', {
  methods: ['GET'],
  handler: () => ({
    status: 204,
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  }),
});

async function call(name) {
  const { metadata, callback } = functions[name];
  const [trigger] = Object.entries(metadata.bindings).find(([, { type }]) => type === 'httpTrigger');
  const http = { method: 'GET', url: `https://example.org/api/${name}`, headers: {} };
  const invocation = model.getInvocationModel({
    invocationId: '1',
    metadata,
    request: { inputData: [{ name: trigger, data: { http } }] },
    log: () => undefined,
  });
  const { context, inputs } = await invocation.getArguments();
  const result = await invocation.invokeFunction(context, inputs, callback);
  return (await invocation.getResponse(context, result)).returnValue.http;
}

(async () => {
  const seen = [
    `in headers: ${(await call('headers')).headers['set-cookie']}`,
    `as cookies: ${(await call('cookies')).cookies.map(({ name }) => name).join(', ')}`,
  ];
  for (const line of seen) console.log(line);
  process.exit(seen.join() === 'in headers: b=2,as cookies: a, b' ? 0 : 1);
})();
JS
node check.cjs
