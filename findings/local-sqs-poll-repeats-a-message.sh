#!/usr/bin/env bash
# local-aws-sqs 2.0.2, an emulator of SQS for tests: a poll (`WaitTimeSeconds`) does not end when a message is there, as one of
# SQS does, but when its time is over. A message whose `VisibilityTimeout` ends meanwhile is received again by the same poll,
# and the one response has it several times, as several messages.
#
# It matters for tests of consumers: one that handles a response's messages at once works on one job several times, and a queue
# with `maxReceiveCount` calls it dead, neither of which SQS would do.
#
# Seen, for one message, hidden for 1 s, and a poll of 4 s:
#   after 4 s: 5 messages, 1 id
#   with a poll of 0 s: 1 message
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts local-aws-sqs@2.0.2 @aws-sdk/client-sqs@3.1175.0
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:net';

import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createSqsServer } from 'local-aws-sqs';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
const queues = ['polled', 'asked'].map((QueueName) => ({ QueueName }));
await createSqsServer({ port, hostname: '127.0.0.1', queues });
const endpoint = `http://127.0.0.1:${port}`;
const credentials = { accessKeyId: 'nobody', secretAccessKey: 'none' };
const client = new SQSClient({ endpoint, region: 'us-east-1', credentials });

async function receive(name, WaitTimeSeconds) {
  const QueueUrl = `${endpoint}/123456789012/${name}`;
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a job' }));
  const options = { QueueUrl, WaitTimeSeconds, MaxNumberOfMessages: 10, VisibilityTimeout: 1 };
  const { Messages = [] } = await client.send(new ReceiveMessageCommand(options));
  return Messages;
}

const started = Date.now();
const polled = await receive('polled', 4);
const isLate = Date.now() - started > 3900;
const ids = new Set(polled.map(({ MessageId }) => MessageId));
const asked = await receive('asked', 0);
console.log(`after ${isLate ? 4 : 'less than 4'} s: ${polled.length} messages, ${ids.size} id`);
console.log(`with a poll of 0 s: ${asked.length} message`);
// How often it fits in depends on the machine.
process.exit(isLate && polled.length > 1 && ids.size === 1 && asked.length === 1 ? 0 : 1);
JS
node check.mjs
