import { GET } from '../src/core/http/send.ts';
import type { Attempt } from '../src/core/http/types.ts';
// The processor time that a governor adds to a call, in microseconds: finding the limits that it counts against, deciding
// whether it may be sent, and reading its response.
//   node bench/governor.ts
import { createJournal, memoryJournal } from '../src/core/index.ts';
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
      method: GET,
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
      signal: undefined,
      deadline: Infinity,
      schema: undefined as never, // nothing is parsed
    },
  };
}
