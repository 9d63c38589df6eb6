import * as v from 'valibot';

import { idSchema, listOf, node, number, part, type Raw, text } from './fields.ts';

/** A question of a lead form. */
export interface LeadQuestion {
  /** The name of its answer in a lead's `field_data`. */
  readonly key?: string | undefined;
  readonly label?: string | undefined;
  /** Such as `EMAIL`, or `CUSTOM`. */
  readonly type?: string | undefined;
}

/** A lead form of a Page. */
export interface LeadForm {
  readonly id: string;
  readonly name: string | undefined;
  /** `ACTIVE`, `ARCHIVED`, `DELETED` or `DRAFT`. */
  readonly status: string | undefined;
  /** Language and region, such as `en_US`. */
  readonly language: string | undefined;
  readonly questions: readonly LeadQuestion[];
  readonly leads_count: number | undefined;
  /** The form as the platform sent it. */
  readonly raw: Raw;
}

/** Reads a {@link LeadForm}. */
export const leadFormSchema: v.GenericSchema<unknown, LeadForm> = v.pipe(
  node({
    id: idSchema,
    name: text,
    status: text,
    locale: text,
    questions: part(listOf(part(node({ key: text, label: text, type: text })))),
    leads_count: number,
  }),
  v.transform((form) => ({
    id: form.id,
    name: form.name,
    status: form.status,
    language: form.locale,
    questions: form.questions ?? [],
    leads_count: form.leads_count,
    raw: form.raw,
  })),
);
