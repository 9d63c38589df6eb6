import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A question of a lead form. Fields that the platform adds are kept. */
export interface LeadQuestion {
  /** The name of its answer in a lead's `field_data`. */
  readonly key?: string | undefined;
  readonly label?: string | undefined;
  /** Such as `EMAIL`, or `CUSTOM`. */
  readonly type?: string | undefined;
  readonly [field: string]: unknown;
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
  /** The whole entry. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const text = v.optional(v.string());

/** Reads a {@link LeadForm}. */
export const leadFormSchema: v.GenericSchema<unknown, LeadForm> = v.pipe(
  v.looseObject({
    id: idSchema,
    name: text,
    status: text,
    locale: text,
    questions: v.optional(v.array(v.looseObject({ key: text, label: text, type: text })), []),
    leads_count: v.optional(v.number()),
  }),
  v.transform((raw) => ({
    id: raw.id,
    name: raw.name,
    status: raw.status,
    language: raw.locale,
    questions: raw.questions,
    leads_count: raw.leads_count,
    raw,
  })),
);
