#!/usr/bin/env bash
# serverless-http 4.0.0, @codegenie/serverless-express 5.0.0, @fastify/aws-lambda 6.4.1 and Hono 4.13.19 lose cookies of a
# response with two, on AWS Lambda behind an Application Load Balancer as it is set by default, without multi-value headers: it
# sends only the `headers` of what the function returns, each name once. They do so in three ways, and say nothing; the same app
# keeps both with multi-value headers. serverless-http drops both, Hono and @codegenie/serverless-express the second one, and
# @fastify/aws-lambda puts both into `multiValueHeaders`, which such a load balancer does not read.
#
# It matters for a login that sets a session and ends the cookie of its `state` in one response: half of it happens. Turn on
# `lambda.multi_value_headers.enabled` of the target group, or set one cookie a response.
#
# Seen, cookies in what the load balancer reads:
#   serverless-http: 0 of 2, with multi-value headers 2
#   @codegenie/serverless-express: 1 of 2, with multi-value headers 2
#   @fastify/aws-lambda: 0 of 2, with multi-value headers 2
#   hono/aws-lambda: 1 of 2, with multi-value headers 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts serverless-http@4.0.0 @codegenie/serverless-express@5.0.0 @fastify/aws-lambda@6.4.1 fastify@5.12.8 express@5.3.0 hono@4.13.19
cat >check.mjs <<'JS'
import awsLambdaFastify from '@fastify/aws-lambda';
import codegenie from '@codegenie/serverless-express';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import serverless from 'serverless-http';

const cookies = ['login=; Max-Age=0', 'session=made-up'];
const onExpress = () => express().get('/', (_request, response) => response.append('set-cookie', cookies).end());
const onFastify = fastify();
onFastify.get('/', (_request, reply) => reply.header('set-cookie', cookies).send());
const onHono = new Hono().get('/', (c) => {
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
  return c.body(null);
});
const adapters = {
  'serverless-http': serverless(onExpress()),
  '@codegenie/serverless-express': codegenie({ app: onExpress() }),
  '@fastify/aws-lambda': awsLambdaFastify(onFastify),
  'hono/aws-lambda': handle(onHono),
};

// As AWS documents what a load balancer sends.
const event = {
  requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/a/1' } },
  httpMethod: 'GET',
  path: '/',
  body: '',
  isBase64Encoded: false,
};
const single = { ...event, headers: { host: 'example.org' }, queryStringParameters: { a: '1' } };
const multi = { ...event, multiValueHeaders: { host: ['example.org'] }, multiValueQueryStringParameters: { a: ['1'] } };
const count = (headers = {}) =>
  Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .flatMap(([, value]) => value).length;

const seen = [];
for (const [name, handler] of Object.entries(adapters)) {
  const one = await handler(structuredClone(single), {});
  const several = await handler(structuredClone(multi), {});
  seen.push(`${name}: ${count(one.headers)} of 2, with multi-value headers ${count(several.multiValueHeaders)}`);
}
for (const line of seen) console.log(line);
const stated = [
  'serverless-http: 0 of 2, with multi-value headers 2',
  '@codegenie/serverless-express: 1 of 2, with multi-value headers 2',
  '@fastify/aws-lambda: 0 of 2, with multi-value headers 2',
  'hono/aws-lambda: 1 of 2, with multi-value headers 2',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
