// The host and the worker of Azure Functions, as far as they go for HTTP: the package `@azure/functions` makes a request of
// what it gets by their protocol, and calls the function. The worker gives it the module `@azure/functions-core`.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import { serve } from './serve.mjs';

const functions = [];
let model;
globalThis.core = {
  version: '4.0.0',
  hostVersion: '4.1000.0',
  log: () => undefined,
  registerFunction: (metadata, callback) => void functions.push({ metadata, callback }),
  registerHook: () => ({ dispose: () => undefined }),
  setProgrammingModel: (given) => void (model = given),
};
registerHooks({
  resolve: (name, context, next) =>
    name === '@azure/functions-core'
      ? { url: 'core:', format: 'commonjs', shortCircuit: true }
      : next(name, context),
  load: (url, context, next) =>
    url === 'core:'
      ? { format: 'commonjs', source: 'module.exports = globalThis.core', shortCircuit: true }
      : next(url, context),
});
await import(pathToFileURL('function.ts').href);

serve(async ({ method, headers, url, body }) => {
  const { pathname } = new URL(url, 'http://localhost');
  const { metadata, callback } = functions.find(({ metadata: { bindings } }) =>
    Object.values(bindings).some(({ route = '' }) =>
      `${pathname.slice(1)}/`.startsWith(route.replace('{*rest}', '')),
    ),
  );
  const [[trigger]] = Object.entries(metadata.bindings).filter(([, { type }]) => type === 'httpTrigger');
  const request = {
    method,
    url: `http://localhost${url}`,
    headers,
    body: body.length > 0 ? { bytes: body } : undefined,
  };
  const invocation = model.getInvocationModel({
    invocationId: '1',
    metadata,
    request: { inputData: [{ name: trigger, data: { http: request } }] },
    log: () => undefined,
  });
  const { context, inputs } = await invocation.getArguments();
  const result = await invocation.invokeFunction(context, inputs, callback);
  const { http } = (await invocation.getResponse(context, result)).returnValue;
  return {
    status: Number(http.statusCode),
    headers: http.headers,
    body: http.body?.bytes ?? http.body?.string,
  };
});
