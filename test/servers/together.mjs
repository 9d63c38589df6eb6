import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Several processes that begin to use a store at the same moment; what each of them saw. */
export async function together(count, kind, address, key) {
  const script = new URL('process.mjs', import.meta.url).pathname;
  const children = Array.from({ length: count }, () => fork(script, [kind, address, key]));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  return Promise.all(
    children.map(async (child) => {
      const [[seen], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
      return { pid: child.pid, code, ...seen };
    }),
  );
}
