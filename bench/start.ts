// What a cold import costs beside that of the three dependencies: fresh processes in turn, above an empty one.
import { execFileSync } from 'node:child_process';

const rounds = 31;
const modules = {
  'an empty process': [],
  'ky, neverthrow, valibot': ['ky', 'neverthrow', 'valibot'],
  'pagepics/page': ['pagepics/page'],
  'pagepics/pics': ['pagepics/pics'],
  pagepics: ['pagepics'],
  'pagepics/webhooks': ['pagepics/webhooks'],
};
type Name = keyof typeof modules;

const names = Object.keys(modules) as Name[];
const times = new Map<Name, number[]>(names.map((name) => [name, []]));

for (let round = 0; round < rounds; round++) {
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(round + turn) % names.length] as Name;
    const code = modules[name].map((from) => `import '${from}';`).join('');
    const started = performance.now();
    execFileSync(process.execPath, ['--input-type=module', '--eval', code]);
    times.get(name)?.push(performance.now() - started);
  }
}

/** The median above that of an empty process, in milliseconds. */
function above(name: Name): number {
  return median(times.get(name) ?? []) - median(times.get('an empty process') ?? []);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const base = above('ky, neverthrow, valibot');
console.log(`\ncold import: ${rounds} fresh processes, medians above an empty one`);
for (const name of names.slice(1)) {
  const own = above(name);
  const ratio = (own / base).toFixed(2);
  console.log(`  ${name.padEnd(24)} ${own.toFixed(1).padStart(8)} ms   ${ratio} x the three dependencies`);
}
