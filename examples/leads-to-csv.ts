// Exports the leads of a form to a CSV file: quoted as RFC 4180 asks, without formulas that people entered, and going
// on where a page of the list failed. The export is in `support/exportLeads.ts`.
//
//   npm run example -- leads-to-csv     on the embedded sandbox: no account, no network
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPageContext } from 'pagepics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { exportLeads } from './support/exportLeads.ts';
import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    retry: { baseDelayMs: 10 }, // short, so that the example ends soon
  }),
);
const [page] = sandbox.pages;
const [formId = ''] = page?.formIds ?? [];
if (page === undefined) throw new Error('the sandbox has Pages');

const remarks = [
  '"The best", they say',
  'two\nlines',
  '=HYPERLINK("https://example.org?"&A1)',
  'a plain one',
];
for (let at = 0; at < 450; at++) {
  const remark = remarks[at % remarks.length] ?? '';
  sandbox.addLead({ formId, answers: { remark, phone: `+1555${String(at).padStart(7, '0')}` } });
}

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
const file = join(folder, 'leads.csv');
const options = { formId, pageToken: page.token, file, answers: ['phone', 'remark'] };
try {
  log.step('first run: the fourth page of the list fails, whatever the retries');
  const mend = sandbox.fault({ path: '/leads', skip: 3, times: Infinity, status: 503 });
  const first = await exportLeads(context, options);
  mend();
  log.show('added', { leads: first.added, failure: first.failure?.message });

  log.step('a process died while it wrote a record');
  await appendFile(file, '"17","2026-01-01T00:00:0');

  log.step('second run: goes on');
  log.show('added', { leads: (await exportLeads(context, options)).added });

  log.step('third run: nothing new');
  log.show('added', { leads: (await exportLeads(context, options)).added });

  log.step('what is in the file');
  const records = (await readFile(file, 'utf8')).split('\r\n');
  for (const record of records.slice(0, 5)) log.show('record', record);
} finally {
  await rm(folder, { recursive: true });
}
await server.close();
log.say('\nDone.');
