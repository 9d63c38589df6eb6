import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

import { respond } from './app.ts';

/** For a function URL, or an HTTP API with payloads of version 2.0. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const { rawPath, rawQueryString, requestContext, cookies = [], body, isBase64Encoded } = event;
  const { method } = requestContext.http;
  const headers = new Headers({ ...event.headers, cookie: cookies.join('; ') });
  const bytes = body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const url = `https://${requestContext.domainName}${rawPath}?${rawQueryString}`;
  const answer = await respond(new Request(url, { method, headers, body: bytes }));
  return {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  };
}
