import { describe, expect, test } from 'vitest';

import type { ContextOptions } from '../../src/core/context.ts';
import { appSecretProof } from '../../src/core/http/proof.ts';
import { paginate } from '../../src/core/lowLevel/paginate.ts';
import { type Method, request, type RequestOptions } from '../../src/core/lowLevel/request.ts';
import { createPageContext } from '../../src/page/context.ts';
import { pageContext } from '../support/context.ts';

describe('what is wrong is said in words', () => {
  test.each([
    [{ fetch: 'x' }, 'fetch must be a function'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number from 1 to 2147483647'],
    [{ deadlineMs: 0 }, 'deadlineMs must be a number of at least 1'],
    [{ graphVersion: '26' }, 'graphVersion must be like v26.0'],
    [{ licenseKey: 7 }, 'licenseKey must be a string'],
    [{ clock: {} }, 'clock must be a clock'],
    [{ retry: { attempts: 0 } }, 'retry.attempts must be a whole number of at least 1'],
    [{ retry: { maxDelayMs: -1 } }, 'retry.maxDelayMs must be a number from 0 to 2147483647'],
    [{ retry: { jitter: 'half' } }, 'retry.jitter must be one of full, none'],
    [{ retry: { statuses: 500 } }, 'retry.statuses must be a list'],
    [{ retry: { statuses: [500, '502'] } }, 'retry.statuses[1] must be an HTTP status'],
    [{ retry: { statuses: [undefined, 500] } }, 'retry.statuses[0] must be an HTTP status'],
    [{ retry: { budget: -1 } }, 'retry.budget must be a number of at least 0'],
    [{ retry: { onceOnly: 0 } }, 'retry.onceOnly must be a boolean'],
    ...['x', 'https://a:b@host.test', 'https://host.test/graph?a=1', 'https://host.test/#a'].map(
      (graphUrl): [object, string] => [
        { platform: { graphUrl } },
        'platform.graphUrl must be an http or https address without credentials or query',
      ],
    ),
    ...['graphUrl', 'picsGraphUrl', 'dialogUrl'].flatMap((name) =>
      ['https://host.test/v26.0', 'https://host.test/graph/v26.0/', 'http://127.0.0.1:1/v2'].map(
        (value): [object, string] => [
          { platform: { [name]: value } },
          `platform.${name} must not end in a version: graphVersion adds it`,
        ],
      ),
    ),
  ])('of a context: %j', (settings, message) => {
    const options = { appId: '1', appSecret: 'x', ...(settings as ContextOptions) };

    expect(createPageContext(options)._unsafeUnwrapErr().message).toBe(message);
  });

  const address = 'url must be a path, or an http or https address without credentials';
  test.each([
    ['TRACE', 'x', {}, 'method must be GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE'],
    ['POST', 'x', { data: { a: 1 }, json: {} }, 'give data or json, not both'],
    ['GET', 'x', { data: { a: 1 } }, 'a GET has no body: give params'],
    ['HEAD', 'x', { json: {} }, 'a HEAD has no body: give params'],
    ['POST', 'x', { json: { a: 1n } }, 'json.a must be a value that JSON can hold'],
    ['GET', 'x', { params: [] }, 'params must be an object'],
    ['GET', 'x', { headers: 'a' }, 'headers must be an object of texts'],
    ['GET', 'x', { headers: { 'a b': 'c' } }, 'headers must hold valid header names and values'],
    ['GET', 'https://[', {}, address],
    ['GET', 'https://user@graph.test', {}, address],
    ['GET', 'http://:word@graph.test', {}, address],
  ])('of a request: %s %s %o', async (method, url, options, message) => {
    const made = await request(pageContext(), method as Method, url, options as RequestOptions);

    expect(made._unsafeUnwrapErr().message).toBe(message);
  });

  test('of a list, and of a proof', async () => {
    const list = await paginate(pageContext(), 'x', { params: { a: { b: 1n } } });
    const proof = await appSecretProof('', 'x');

    expect(list._unsafeUnwrapErr().message).toBe('params.a.b must be a value that JSON can hold');
    expect(proof._unsafeUnwrapErr().message).toBe('token must be a non-empty string');
  });
});
