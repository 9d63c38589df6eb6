#!/usr/bin/env bash
# RabbitMQ 3.10.8: a queue for delays, with a `x-message-ttl` and the working queue as its dead letter, is often given an
# `x-expires`, so that it goes away when it is no longer used. Used means: a consumer, a `basic.get` or another declaration.
# Messages that wait in it do not count: the queue is deleted with them, nothing is dead-lettered, and the publisher, whose
# messages were confirmed, hears of nothing. The expiry must be longer than the delay, counted from the last declaration.
#
# It matters for jobs that are to be tried again later: they are lost, all at once, in a quiet hour.
#
# Seen, of a message that is to wait for 2 s:
#   expires after 1 s: the working queue has 0 messages
#   expires after 4 s: the working queue has 1 message
#
# It needs RabbitMQ as Debian installs it.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; epmd -kill >/dev/null 2>&1 || true; }; rm -rf "$folder"' EXIT
cd "$folder"
program=/usr/lib/rabbitmq/bin/rabbitmq-server
[ -x "$program" ] || { echo 'this needs RabbitMQ as Debian installs it'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts amqplib@2.3.1
cat >ports.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:net';

const probes = [1, 2, 3].map(() => createServer().listen(0, '127.0.0.1'));
await Promise.all(probes.map((probe) => once(probe, 'listening')));
console.log(probes.map((probe) => probe.address().port).join(' '));
for (const probe of probes) probe.close();
JS
read -r port dist epmd <<<"$(node ports.mjs)"
cat >check.mjs <<'JS'
import { connect } from 'amqplib';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function reach(tries = 600) {
  try {
    return await connect(`amqp://127.0.0.1:${process.argv[2]}`);
  } catch (error) {
    if (tries === 0) throw error;
    await wait(200);
    return reach(tries - 1);
  }
}
const connection = await reach();
const channel = await connection.createConfirmChannel();

const seen = [];
for (const seconds of [1, 4]) {
  const work = `work ${seconds}`;
  await channel.assertQueue(work);
  await channel.assertQueue(`later ${seconds}`, {
    messageTtl: 2000,
    expires: seconds * 1000,
    deadLetterExchange: '',
    deadLetterRoutingKey: work,
  });
  channel.sendToQueue(`later ${seconds}`, Buffer.from('a job'), { persistent: true });
  await channel.waitForConfirms();
  await wait(6000);
  const { messageCount } = await channel.checkQueue(work);
  seen.push(`expires after ${seconds} s: the working queue has ${messageCount} message${messageCount === 1 ? '' : 's'}`);
}
console.log(seen.join('\n'));
const expected = `expires after 1 s: the working queue has 0 messages
expires after 4 s: the working queue has 1 message`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
export HOME="$folder" RABBITMQ_NODENAME="expiry$port@localhost" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT="$port"
export RABBITMQ_DIST_PORT="$dist" ERL_EPMD_PORT="$epmd" ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_MNESIA_BASE="$folder"
export RABBITMQ_LOG_BASE="$folder" RABBITMQ_LOGS=- RABBITMQ_PID_FILE="$folder/pid" RABBITMQ_ENABLED_PLUGINS_FILE="$folder/plugins"
export RABBITMQ_CONF_ENV_FILE="$folder/environment" RABBITMQ_CONFIG_FILE="$folder/settings"
"$program" >/dev/null 2>&1 &
server=$!
node check.mjs "$port"
