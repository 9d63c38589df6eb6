// Fetches the leads that a webhook may have missed: all forms of a Page, since a date. It remembers the time of the
// newest lead of each form, so that the next run continues from there.
//
//   npm run example -- backfill-leads     on the embedded sandbox: no account, no network
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPageContext, type Lead } from 'pagepics';
import { paginate } from 'pagepics/core';
import { leadForms, leads, type PageContext } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const hour = 3_600_000;

/** For each form, a time in unix seconds up to which all its leads are read, and those that were read since. */
type Progress = Record<
  string,
  {
    readonly lastSeen: number;
    readonly ids: readonly string[];
    /** The newest lead, if it and all before it are read. */
    readonly newest?: string;
  }
>;

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    onResponse: log.sent,
  }),
);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has no Page');

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
const file = join(folder, 'progress.json');
const start = new Date(Date.now() - 24 * hour);
try {
  log.step(`first run: leads since ${start.toISOString()}`);
  // Leads reach the list late: those of the last hours are not in it yet.
  sandbox.tune({ lists: { lagMs: 2.5 * hour } });
  await backfill(context, { pageId: page.id, pageToken: page.token, start, file });

  log.step('second run: continues where the first one ended');
  sandbox.tune({ lists: { lagMs: 0 } });
  await backfill(context, { pageId: page.id, pageToken: page.token, start, file });

  log.step('third run: nothing new');
  await backfill(context, { pageId: page.id, pageToken: page.token, start, file });

  log.step('fourth run: of two new leads, the platform cannot deliver one');
  const [formId = ''] = page.formIds;
  const [stuck] = [sandbox.addLead({ formId }), sandbox.addLead({ formId })];
  sandbox.tune({ lists: { undeliverable: [stuck] } });
  await backfill(context, { pageId: page.id, pageToken: page.token, start, file });

  log.step('fifth run: it can');
  sandbox.tune({ lists: { undeliverable: [] } });
  await backfill(context, { pageId: page.id, pageToken: page.token, start, file });
} finally {
  await rm(folder, { recursive: true });
  await server.close();
}

interface Backfill {
  readonly pageId: string;
  readonly pageToken: string;
  /** Since when to read a form that no run has seen. */
  readonly start: Date;
  /** Keeps the progress between runs. */
  readonly file: string;
}

async function backfill(context: PageContext, { pageId, pageToken, start, file }: Backfill): Promise<void> {
  const progress = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Progress;
  const newestOf = await newestLeads(context, pageId, pageToken);
  const forms = await leadForms(context, { pageId, pageToken });
  if (forms.isErr()) throw forms.error;
  if (!forms.value.isComplete) log.show('forms', 'not all: the next run asks for the others');

  for (const { id: formId, name } of forms.value) {
    const before = progress[formId];
    if (before?.newest !== undefined && before.newest === newestOf.get(formId)) {
      log.show('form', `${name}: 0 new, by its newest lead`);
      continue;
    }
    // Reads the last minute again: times have a resolution of one second, and a lead can reach the list a little late.
    const since = before === undefined ? start : before.lastSeen - 60;
    const found = await leads(context, { formId, pageToken, since, limit: Number.MAX_SAFE_INTEGER });
    if (found.isErr()) throw found.error; // a later run goes on with this form

    const missed = found.value.filter(({ id }) => !before?.ids.includes(id));
    log.show('form', `${name}: ${missed.length} new`);
    // An app would store them here. Names and addresses of people do not belong in a log.
    if (missed.length > 0) console.table(missed.map(withoutPersonalData));

    const { unreadable } = found.value;
    if (unreadable > 0) log.show('unread', `${name}: ${unreadable}, which the next run asks for again`);
    const [newest] = found.value; // newest first
    if (newest === undefined) continue;
    const lastSeen = unreadable > 0 ? (before?.lastSeen ?? start.getTime() / 1000) : secondsOf(newest);
    const recent = found.value.filter((lead) => secondsOf(lead) > lastSeen - 60);
    progress[formId] = {
      lastSeen,
      ids: recent.map(({ id }) => id),
      ...(unreadable === 0 && { newest: newest.id }),
    };
    await writeFile(file, JSON.stringify(progress));
  }
}

/**
 * The newest lead of each form, in the requests for the forms, by a field expansion: a form without a new lead then takes no
 * request of its own.
 */
async function newestLeads(
  context: PageContext,
  pageId: string,
  token: string,
): Promise<ReadonlyMap<unknown, string | undefined>> {
  const params = { fields: ['id', 'leads.limit(1){id}'] };
  const forms = await paginate(context, `${pageId}/leadgen_forms`, { token, params });
  if (forms.isErr()) return new Map(); // then each form is asked
  return new Map(
    forms.value.map(({ id, leads }) => {
      // As the platform sends it; absent if the form has none.
      const { data } = (leads ?? {}) as { readonly data?: readonly { readonly id: string }[] };
      return [id, data?.[0]?.id];
    }),
  );
}

function withoutPersonalData(lead: Lead): Record<string, string | undefined> {
  const { id, created_time, campaign_name, fields } = lead;
  return { id, created_time, campaign_name, answered: Object.keys(fields).join(', ') };
}

function secondsOf({ created_time = '' }: Lead): number {
  return Date.parse(created_time) / 1000;
}
