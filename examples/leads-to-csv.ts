// Adds the leads of each form of a Page to a CSV file of its own: quoted as RFC 4180 asks, without formulas that people
// entered, and going on where the last run failed.
//
//   node --env-file=.env leads-to-csv.ts ./folder
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createPageClientFromEnv, isSdkError, type Lead } from 'pagepics';

/** The values of a lead by column. */
type Row = ReadonlyMap<string, string>;

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [folder = '.'] = process.argv.slice(2);
const client = createPageClientFromEnv();

const complain = (what: string) => {
  console.error(what);
  process.exitCode = 1;
};

const forms = await client.leadForms({ pageId, pageToken });
if (!forms.isComplete) complain('There are forms that the platform did not list.');
for (const { id: formId, name } of forms) {
  const file = join(folder, `leads-${formId}.csv`);
  const rows = existsSync(file) ? readRows(await readFile(file, 'utf8'), file) : new Map<string, Row>();
  const before = rows.size;
  const onUnreadable = ({ message }: Error) => complain(`${name}: ${message}`);
  try {
    // A lead that the platform cannot deliver is named, and the others come all the same.
    for await (const lead of client.iterateLeads({ formId, pageToken, onUnreadable }))
      if (!rows.has(lead.id)) rows.set(lead.id, toRow(lead));
  } catch (error) {
    if (!isSdkError(error)) throw error;
    onUnreadable(error); // what came before is kept, and the next run adds the rest
  }
  const added = rows.size - before;
  if (added > 0) {
    // Whole or not at all, and readable by nobody else.
    await writeFile(`${file}.new`, toCsv([...rows.values()]), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  console.log(`${name}: ${added} new, ${rows.size > 0 ? `${rows.size} in ${file}` : 'so no file'}`);
}

/** Names of answers are in lower case, so a capital keeps the other columns apart. */
function toRow({ id, created_time = '', campaign_name = '', fields }: Lead): Row {
  const own = { Lead: id, Created: created_time, Campaign: campaign_name };
  return new Map(
    [...Object.entries(own), ...Object.entries(fields)].map(([name, values]) => [
      asText(name),
      asText([values].flat().join('; ')),
    ]),
  );
}

/**
 * Anybody can answer a form, and a spreadsheet takes what begins like this for a formula, which may send the sheet
 * elsewhere. An apostrophe makes it text. Phone numbers, which begin with a plus, stay as they are.
 */
function asText(value: string): string {
  return /^[=+\-@\t\r\n]/.test(value) && !/^\+[\d ().-]+$/.test(value) ? `'${value}` : value;
}

/** A column for each answer that any lead has. */
function toCsv(rows: readonly Row[]): string {
  const columns = [...new Set(['Lead', 'Created', 'Campaign', ...rows.flatMap((row) => [...row.keys()])])];
  const records = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return records.map(toRecord).join('');
}

/** A record of RFC 4180. All fields are in quotes, so a reader needs no other rule. */
function toRecord(fields: readonly string[]): string {
  return `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** The rows of a file by the ids of their leads. */
function readRows(text: string, file: string): Map<string, Row> {
  const records: string[][] = [[]];
  let end = 0;
  for (const [whole, value = '', mark] of text.matchAll(/"([^"]*(?:""[^"]*)*)"(,|\r\n)/gy)) {
    records.at(-1)?.push(value.replaceAll('""', '"'));
    if (mark !== ',') records.push([]);
    end += whole.length;
  }
  // Such as one that a spreadsheet saved: it may hold leads that the platform no longer has.
  if (end < text.length) throw new Error(`${file} was changed by another program: move it away`);
  const [columns = [], ...rows] = records.slice(0, -1);
  return new Map(
    rows.map((row) => [row[0] ?? '', new Map(columns.map((name, at) => [name, row[at] ?? '']))]),
  );
}
