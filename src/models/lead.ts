import * as v from 'valibot';

import { field, flag, idSchema, listOf, node, optionalId, part, type Raw, text, toPlain } from './fields.ts';

/** An answer on a lead form, as the platform sent it. */
export interface LeadAnswer {
  readonly name: string;
  readonly values: readonly (string | number | boolean)[];
}

/** A lead: what a person entered into a lead form. */
export interface Lead {
  readonly id: string;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time: string | undefined;
  /**
   * The answers by name, in lower snake_case: one value as a string, several as an array. The values of answers
   * whose names become equal are joined into one array.
   */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The answers, as the platform sent them. */
  readonly field_data: readonly LeadAnswer[];
  readonly form_id: string | undefined;
  /** All fields of the ad are `undefined` for an organic lead, and without access to the ad account. */
  readonly ad_id: string | undefined;
  readonly ad_name: string | undefined;
  readonly adset_id: string | undefined;
  readonly adset_name: string | undefined;
  readonly campaign_id: string | undefined;
  readonly campaign_name: string | undefined;
  readonly is_organic: boolean | undefined;
  /** The platform on which the form was shown, such as `fb`. */
  readonly platform: string | undefined;
  /** The lead as the platform sent it. */
  readonly raw: Raw;
}

const answerSchema = v.pipe(
  node({ name: text, values: part(listOf(field(toPlain))) }),
  v.check(({ name }) => name !== undefined),
  v.transform(({ name = '', values = [], ...answer }): LeadAnswer => ({ ...answer, name, values })),
);

/** Reads a {@link Lead}. */
export const leadSchema: v.GenericSchema<unknown, Lead> = v.pipe(
  node({
    id: idSchema,
    created_time: text,
    field_data: part(listOf(part(answerSchema))),
    form_id: optionalId,
    ad_id: optionalId,
    ad_name: text,
    adset_id: optionalId,
    adset_name: text,
    campaign_id: optionalId,
    campaign_name: text,
    is_organic: flag,
    platform: text,
  }),
  v.transform(({ field_data = [], raw, ...lead }) => ({
    id: lead.id,
    created_time: lead.created_time,
    fields: toFields(field_data),
    field_data,
    form_id: lead.form_id,
    ad_id: lead.ad_id,
    ad_name: lead.ad_name,
    adset_id: lead.adset_id,
    adset_name: lead.adset_name,
    campaign_id: lead.campaign_id,
    campaign_name: lead.campaign_name,
    is_organic: lead.is_organic,
    platform: lead.platform,
    raw,
  })),
);

function toFields(answers: readonly LeadAnswer[]): Lead['fields'] {
  const fields = new Map<string, string[]>();
  for (const { name, values } of answers) {
    const key = toSnakeCase(name) || name;
    fields.set(key, [...(fields.get(key) ?? []), ...values.map(String)]);
  }
  // Not by assignment, since a question can be named `__proto__`.
  return Object.fromEntries([...fields].map(([key, [first, ...more]]) => [key, toField(first, more)]));
}

function toField(first: string | undefined, more: readonly string[]): string | readonly string[] {
  if (first === undefined) return [];
  return more.length === 0 ? first : [first, ...more];
}

/** Letters of every script are kept: a form has questions in any language. */
function toSnakeCase(name: string): string {
  return name
    .normalize('NFC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}
