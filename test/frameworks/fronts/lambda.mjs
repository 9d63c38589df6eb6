// What stands before a function on AWS Lambda, as AWS documents its events: node lambda.mjs <url | rest | alb>
import { pathToFileURL } from 'node:url';

import { serve } from './serve.mjs';

const [, , kind] = process.argv;
const { handler } = await import(pathToFileURL('function.ts').href);

serve(async ({ method, headers, url, body }) => {
  const { pathname, search, searchParams } = new URL(url, 'http://localhost');
  // A function URL and a load balancer encode all that is no text, such as a form.
  const isText = /^(text\/|application\/(json|javascript|xml))/.test(headers['content-type'] ?? 'text/');
  const isBase64Encoded = !isText && kind !== 'rest';
  const text = body.toString(isBase64Encoded ? 'base64' : 'utf8');
  const query = search.slice(1);
  const decoded = Object.fromEntries(searchParams);
  const raw = Object.fromEntries(
    query
      .split('&')
      .filter(Boolean)
      .map((part) => part.split('=')),
  );
  const { cookie, ...others } = headers;
  const events = {
    url: {
      version: '2.0',
      routeKey: '$default',
      rawPath: pathname,
      rawQueryString: query,
      ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
      headers: others,
      ...(query ? { queryStringParameters: decoded } : {}),
      requestContext: {
        accountId: 'anonymous',
        apiId: 'a',
        domainName: 'a.lambda-url.eu-central-1.on.aws',
        domainPrefix: 'a',
        http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'a' },
        requestId: '1',
        routeKey: '$default',
        stage: '$default',
        time: '28/Nov/2026:00:00:00 +0000',
        timeEpoch: 1795824000000,
      },
      ...(text ? { body: text } : {}),
      isBase64Encoded,
    },
    rest: {
      resource: '/{proxy+}',
      path: pathname,
      httpMethod: method,
      headers,
      multiValueHeaders: multi(headers),
      queryStringParameters: query ? decoded : null,
      multiValueQueryStringParameters: query ? multi(decoded) : null,
      pathParameters: { proxy: pathname.slice(1) },
      stageVariables: null,
      requestContext: {
        accountId: '123456789012',
        apiId: 'a',
        domainName: 'a.execute-api.eu-central-1.amazonaws.com',
        httpMethod: method,
        identity: { sourceIp: '192.0.2.1' },
        path: `/prod${pathname}`,
        protocol: 'HTTP/1.1',
        requestId: '1',
        resourcePath: '/{proxy+}',
        stage: 'prod',
      },
      body: text || null,
      isBase64Encoded,
    },
    // It does not decode the query.
    alb: {
      requestContext: {
        elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/a/1' },
      },
      httpMethod: method,
      path: pathname,
      queryStringParameters: raw,
      headers,
      body: text,
      isBase64Encoded,
    },
  };
  const answer = await handler(events[kind], {});
  return {
    status: answer.statusCode,
    headers: {
      ...answer.headers,
      ...(answer.cookies ? { 'set-cookie': answer.cookies } : {}),
      ...answer.multiValueHeaders,
    },
    body: Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8'),
  };
});

function multi(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
}
