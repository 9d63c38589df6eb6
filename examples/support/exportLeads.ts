import { open, readFile } from 'node:fs/promises';

import type { Failure, Lead } from 'pagepics';
import { iterateLeads, type LeadsOptions, type PageContext } from 'pagepics/page';

export interface Export extends LeadsOptions {
  readonly file: string;
  /** Names of answers, a column each. */
  readonly answers: readonly string[];
}

/**
 * Adds the leads of a form to a CSV file that are not in it yet. If a page of the list fails, the leads before it are
 * in the file, and the next run goes on after them.
 */
export async function exportLeads(context: PageContext, options: Export): Promise<Exported> {
  const { file, answers, ...rest } = options;
  const before = await readFile(file).catch(() => new Uint8Array());
  const { ids, end } = readRecords(before);
  const output = await open(file, 'a');
  try {
    await output.truncate(end); // a record that a dying process wrote half of
    if (end === 0) await output.write(toRecord(['id', 'created_time', 'campaign_name', ...answers]));
    let added = 0;
    for await (const lead of iterateLeads(context, rest)) {
      if (lead.isErr()) return { added, failure: lead.error };
      if (ids.has(lead.value.id)) continue;
      await output.write(toRecord(toRow(lead.value, answers)));
      added++;
    }
    return { added };
  } finally {
    await output.close();
  }
}

interface Exported {
  readonly added: number;
  readonly failure?: Failure;
}

function toRow({ id, created_time = '', campaign_name = '', fields }: Lead, answers: readonly string[]) {
  const values = answers.map((name) => [fields[name] ?? []].flat().join('; '));
  return [id, created_time, campaign_name, ...values];
}

/** A record of RFC 4180. All fields are in quotes, so a reader needs no other rule. */
function toRecord(fields: readonly string[]): string {
  return `${fields.map((field) => `"${asText(field).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/**
 * Anybody can answer a form, and a spreadsheet takes what begins like this for a formula, which may send the sheet
 * elsewhere. An apostrophe makes it text. Phone numbers, which begin with a plus, stay as they are.
 */
function asText(value: string): string {
  return /^[=+\-@\t\r\n]/.test(value) && !/^\+[\d ().-]+$/.test(value) ? `'${value}` : value;
}

/** The ids of the whole records of a file, and where the last one of them ends. */
function readRecords(file: Uint8Array): { readonly ids: ReadonlySet<string>; readonly end: number } {
  // A character a byte, so that places in the text are places in the file.
  const text = new TextDecoder('latin1').decode(file);
  const ids = new Set<string>();
  let end = 0;
  for (const record of text.matchAll(/"([^"]*)"(?:,"(?:[^"]|"")*")*\r\n/gy)) {
    ids.add(record[1] ?? '');
    end += record[0].length;
  }
  return { ids, end };
}
