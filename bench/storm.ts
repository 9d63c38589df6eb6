// A storm over a journal: publishing processes are killed (SIGKILL), or frozen (SIGSTOP) for longer than a lease, while the
// platform loses responses. Then the reports of the calls are compared with what happened. The journal promises 0
// duplicates, 0 wrong ids and 0 losses, and that nothing is left to a person that a later call settles. If the machine is so busy that calls time out, some keys stay unfinished. Options,
// with their defaults:
//   node bench/storm.ts --keys 5000 --seed 1 --kinds post,photo --processes 4 --kills 0.007 --freezes 0.002 --lost 0.2
//     --store sqlite | postgres | redis [--adverse] [--mentions]
// With --mentions, only posts are counted right (--kinds publishPost): what is made of a photo does not say which of two keys
// it is of.
// Kinds are parts of the names in test/core/writes/journal/publishings.ts; all by default. Clients of Postgres and Redis are
// installed by `npm run test:servers`.
import { parseArgs } from 'node:util';

import { type Hardship, publishKeys } from './keys.ts';
import { storeNames } from './stores.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: '' },
    processes: { type: 'string', default: '4' },
    kills: { type: 'string', default: '0.007' },
    freezes: { type: 'string', default: '0.002' },
    lost: { type: 'string', default: '0.2' },
    store: { type: 'string', default: 'sqlite' },
    adverse: { type: 'boolean', default: false },
    mentions: { type: 'boolean', default: false },
  },
});
const store = storeNames.find((name) => name === values.store);
if (store === undefined || store === 'memory') throw new Error('--store must be sqlite, postgres or redis');
const hardship: Hardship = {
  kinds: values.kinds.split(','),
  processes: Number(values.processes),
  kills: Number(values.kills),
  freezes: Number(values.freezes),
  lost: Number(values.lost),
  store,
  adverse: values.adverse,
  mentions: values.mentions,
};
const started = performance.now();
const { unknownOf, reasons, ...report } = await publishKeys(
  Number(values.keys),
  Number(values.seed),
  hardship,
);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`storm, seed ${values.seed}: ${JSON.stringify(hardship)}`);
console.table({ ...report, seconds });
if (report.unknown > 0) console.table(unknownOf);
for (const reason of reasons) console.log(reason);
const { duplicates, wrongIds, lost, unfinished, strays, hasty } = report;
// Node would wait for ever for a message to a process that was killed while it was frozen.
process.exit(duplicates + wrongIds + lost + unfinished + strays + hasty > 0 ? 1 : 0);
