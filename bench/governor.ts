import type { Attempt } from '../src/core/http/types.ts';
// The processor time that a governor adds to a call, in microseconds: finding the limits that it counts against, deciding
// whether it may be sent, and reading its response. Then what share of a core 3,000 calls take that wait for room.
//   node bench/governor.ts
import { close, createJournal, memoryJournal } from '../src/core/index.ts';
import { createGovernor, type GovernorOptions } from '../src/governor/index.ts';
import { createPageContext, type PageContext } from '../src/page/index.ts';

const calls = 100_000;
const token = `EAAB${'x'.repeat(190)}`;
const usage = {
  type: 'pages',
  call_count: 12,
  total_cputime: 3,
  total_time: 4,
  estimated_time_to_regain_access: 0,
};
const headers = new Headers({ 'x-business-use-case-usage': JSON.stringify({ '42': [usage] }) });
const attemptOnce: Attempt = async () => ({ status: 200, headers, body: {}, isJson: true });

const kinds: Readonly<Record<string, GovernorOptions>> = {
  'of one process': {},
  'with a store': { store: createJournal(memoryJournal()) },
};
for (const [kind, options] of Object.entries(kinds)) {
  const governor = createGovernor(options);
  const context = createPageContext({ appId: 'a', appSecret: 'b', governor })._unsafeUnwrap();
  const prepared = prepare(context);
  const governed = governor.govern(attemptOnce);
  // The first rounds include compilation.
  for (let round = 0; round < 3; round++) await measure(prepared, governed);
  const added = (await measure(prepared, governed)) - (await measure(prepared, attemptOnce));
  console.log(`a governor ${kind}: ${added.toFixed(1)} µs a call`);
}

// A limit that is used up for an hour.
const full = { ...usage, call_count: 100, estimated_time_to_regain_access: 60 };
const usedUp = new Headers({ 'x-business-use-case-usage': JSON.stringify({ '42': [full] }) });
const governor = createGovernor({ maxWaitMs: 2 * 3_600_000 });
const context = createPageContext({ appId: 'a', appSecret: 'b', governor })._unsafeUnwrap();
const governed = governor.govern(async () => ({ status: 200, headers: usedUp, body: {}, isJson: true }));
await governed(prepare(context), 1);
const waiting = Array.from({ length: 3000 }, () => governed(prepare(context), 1));
await pause(2000);
const before = process.cpuUsage();
const began = performance.now();
await pause(10_000);
const { user, system } = process.cpuUsage(before);
const share = (user + system) / 10 / (performance.now() - began);
console.log(`3,000 calls that wait in a governor: ${share.toFixed(1)} % of a core (aim: 5 %)`);
close(context);
await Promise.all(waiting);

async function measure(prepared: Parameters<Attempt>[0], attempt: Attempt): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await attempt(prepared, 1);
  return process.cpuUsage(before).user / calls;
}

/** A read of a Page. */
function prepare(context: PageContext): Parameters<Attempt>[0] {
  return {
    context,
    number: 1,
    isRead: true,
    deadline: Infinity,
    address: `${context.graphBase}/42?fields=id%2Cname&access_token=${token}`,
    redact: (value) => value,
    place: () => ({ method: 'GET', path: '/42' }),
    show: (body) => body,
    request: {
      method: 'GET',
      path: '42',
      token,
      query: { fields: 'id,name' },
      trace: {
        of: { operation: 'pageProfile', callId: 'bench' },
        startedAt: 0,
        requests: 0,
        attempts: 0,
        place: undefined,
      },
      schema: undefined as never, // nothing is parsed
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
