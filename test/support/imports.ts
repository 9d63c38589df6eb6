import { registerHooks } from 'node:module';

/** How often each file was imported. */
const counts = new Map<string, number>();

function countedBefore(address: string): number {
  const count = counts.get(address) ?? 0;
  counts.set(address, count + 1);
  return count;
}

/**
 * Vitest reports each import to its main process, and adds the time to the address of a test file, so that no cache of
 * compiled modules ever knows it. Here, only the first import of a file is reported, which is enough to show the lines at
 * which tests fail, and a file that is imported again has a number for the time.
 */
registerHooks({
  resolve(specifier, { parentURL = '' }, next) {
    const [address = '', time] = specifier.split('%3Fvitest=');
    if (time !== undefined) {
      const count = countedBefore(address);
      return { ...next(specifier), url: count === 0 ? address : `${address}?${count}` };
    }
    const isOurs = /^\.\.?\/.*\.ts$/.test(specifier) && !parentURL.includes('/node_modules/');
    const url = isOurs ? new URL(specifier, parentURL).href : '';
    return isOurs && countedBefore(url) > 0 ? { url, shortCircuit: true } : next(specifier);
  },
});
