#!/usr/bin/env bash
# @nats-io/jetstream 3.4.0 with nats-server 2.9.10: `consume()` fetches up to 100 messages ahead, and `ack_wait` runs for those
# that wait in the client as well. While a loop handles the first ones, the server delivers the others again, to the same
# client, whose loop then handles each of them as often, although each is acknowledged in half of the time that is allowed.
# With `max_messages: 1` each is handled once.
#
# It matters for jobs that take seconds: no handler is slow, none fails, and jobs run twice all the same.
#
# Seen, with an `ack_wait` of 1 s and 0.5 s of work for each of 5 messages; how often depends on the machine:
#   consume(): some more than once (1, 2, 2, 3, 3)
#   consume({ max_messages: 1 }): each once (1, 1, 1, 1, 1)
#
# It needs a nats-server on the PATH.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
command -v nats-server >/dev/null || { echo 'this needs a nats-server on the PATH'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @nats-io/jetstream@3.4.0 @nats-io/transport-node@3.4.0
cat >check.mjs <<'JS'
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';

const connection = await connect({ port: Number(process.argv[2]), waitOnFirstConnect: true });
const manager = await jetstreamManager(connection);
const work = () => new Promise((resolve) => setTimeout(resolve, 500));

/** How often each message is handled until none comes for two seconds. */
async function count(stream, options) {
  await manager.streams.add({ name: stream, subjects: [stream] });
  const limits = { ack_policy: 'explicit', ack_wait: nanos(1000) };
  await manager.consumers.add(stream, { durable_name: 'workers', ...limits });
  for (let number = 1; number <= 5; number++) await jetstream(connection).publish(stream, `${number}`);
  const consumer = await jetstream(connection).consumers.get(stream, 'workers');
  const messages = await consumer.consume(options);
  const times = new Map();
  let idle = setTimeout(() => messages.stop(), 2000);
  for await (const message of messages) {
    clearTimeout(idle);
    times.set(message.string(), (times.get(message.string()) ?? 0) + 1);
    await work();
    message.ack();
    idle = setTimeout(() => messages.stop(), 2000);
  }
  return [...times.values()];
}

const ahead = await count('ahead', {});
const single = await count('single', { max_messages: 1 });
const isRepeated = ahead.length === 5 && ahead.slice(1).some((times) => times > 1);
const isOnce = single.length === 5 && single.every((times) => times === 1);
console.log(`consume(): ${isRepeated ? 'some more than once' : 'each once'} (${ahead.join(', ')})`);
console.log(`consume({ max_messages: 1 }): ${isOnce ? 'each once' : 'some more than once'} (${single.join(', ')})`);
process.exit(isRepeated && isOnce ? 0 : 1);
JS
port=$(node -p 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); }); ""' | tr -d '\n')
nats-server --addr 127.0.0.1 --port "$port" --jetstream --store_dir "$folder/store" >/dev/null 2>&1 &
server=$!
node check.mjs "$port"
