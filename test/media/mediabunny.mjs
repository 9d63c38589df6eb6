// Writes a file again with mediabunny, in fragments: node mediabunny.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { MEDIABUNNY = process.cwd() } = process.env;
const path = resolve(MEDIABUNNY, 'node_modules/mediabunny/dist/modules/src/index.js');
const { ALL_FORMATS, BufferSource, BufferTarget, Conversion, Input, Mp4OutputFormat, Output } = await import(
  pathToFileURL(path).href
);
const [from, to] = process.argv.slice(2);
const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(readFileSync(from)) });
const target = new BufferTarget();
const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target });
const conversion = await Conversion.init({ input, output });
await conversion.execute();
writeFileSync(to, new Uint8Array(target.buffer));
