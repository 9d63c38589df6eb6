// Serves a page that checks files in the browser, before they are uploaded anywhere, and draws what the platform shows
// of them. The page is `support/checkPage.html` with `support/checkPage.ts`; this only bundles it, as Vite and others do.
//
//   npm run example -- check-in-a-browser     until you stop it; no account, no network
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const folder = new URL('support/', import.meta.url);
const html = await readFile(new URL('checkPage.html', folder));
const bundled = await build({
  entryPoints: [fileURLToPath(new URL('checkPage.ts', folder))],
  bundle: true,
  format: 'esm',
  minify: true,
  write: false,
});
const script = bundled.outputFiles[0]?.contents ?? '';

const server = createServer(({ url }, response) => {
  if (url === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  else if (url === '/checkPage.js')
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  else response.writeHead(404).end();
});
server.listen(Number(process.env['PORT'] ?? '3000'), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`Choose files at http://127.0.0.1:${port}. Ctrl-C stops it.`);
});
