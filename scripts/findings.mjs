// Runs the findings, or those that are named: npm run findings -- pgbouncer. Each installs what it needs in a folder of its
// own, so this needs a package registry and takes minutes; CI does not run it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const named = process.argv.slice(2);
// Without the settings of this repository, which npm hands to what it runs: they would count for what a script installs.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const scripts = readdirSync('findings').filter(
  (name) => name.endsWith('.sh') && (named.length === 0 || named.some((part) => name.includes(part))),
);

const failed = scripts.filter((name) => {
  const begun = Date.now();
  const { status, stdout, stderr } = spawnSync('bash', [`findings/${name}`], { encoding: 'utf8', env });
  const took = `${Math.round((Date.now() - begun) / 1000)} s`;
  const became = { 0: 'as stated', 2: 'NOT RUN  ' }[status] ?? 'CHANGED  ';
  console.log(`${became}  ${name}  ${took}`);
  if (status !== 0) console.log(`${stdout}${stderr}`.replaceAll(/^/gm, '    '));
  return status !== 0;
});
console.log(`${scripts.length - failed.length} as stated, ${failed.length} changed or not run`);
process.exitCode = failed.length > 0 || scripts.length === 0 ? 1 : 0;
