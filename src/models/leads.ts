import * as v from 'valibot';

import { withoutGaps } from '../core/objects.ts';
import { unicode } from '../core/unicode.ts';
import type { Raw, Schema } from './fields.ts';
import * as s from './fields.ts';

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
   * The answers by name, in lower snake_case: one value as a string, several as an array. The `key` of a question of
   * `leadForm` finds its answer, and so does the name under which `field_data` has it. Answers whose names would be equal
   * have them as they are written.
   */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The answers, as the platform sent them. */
  readonly field_data: readonly LeadAnswer[];
  readonly form_id: string | undefined;
  /** The fields of the ad are `undefined` for an organic or a test lead, and if the token has no access to the ad account. */
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
  s.node({ name: s.text, values: s.part(s.arrayOf(s.field(s.toPlain))) }),
  v.check(({ name }) => name !== undefined, 'expected an answer'),
  v.transform(({ name = '', values = [], ...answer }): LeadAnswer => ({ ...answer, name, values })),
);

/** Reads a {@link Lead}. */
export const leadSchema: Schema<Lead> = v.pipe(
  s.record({
    id: s.idSchema,
    created_time: s.text,
    field_data: s.listOf(answerSchema),
    form_id: s.optionalId,
    ad_id: s.optionalId,
    ad_name: s.text,
    adset_id: s.optionalId,
    adset_name: s.text,
    campaign_id: s.optionalId,
    campaign_name: s.text,
    is_organic: s.flag,
    platform: s.text,
  }),
  v.transform(({ field_data = [], ...lead }) => ({ ...lead, fields: toFields(field_data), field_data })),
);

function toFields(answers: readonly LeadAnswer[]): Lead['fields'] {
  const values = new Map<string, string[]>();
  for (const { name, values: more } of answers)
    values.set(name, [...(values.get(name) ?? []), ...more.map(String)]);
  const names = namesOf([...values.keys()]);
  const fields = {};
  // Not by assignment, since a question can be named `__proto__`.
  const add = (name: string, written: string, enumerable: boolean): void => {
    const [first, ...more] = values.get(written) ?? [];
    Object.defineProperty(fields, name, { value: toField(first, more), ...member, enumerable });
  };
  for (const [written, name] of names) add(name, written, true);
  // As it is written, too, but not listed twice.
  for (const written of names.keys()) if (!Object.hasOwn(fields, written)) add(written, written, false);
  return fields;
}

const member = { writable: true, configurable: true };

/** The names of questions: in lower snake_case, but as they are written where two would have the same. */
function namesOf(written: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map(written.map((one) => [one, toSnakeCase(one) || one]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [one, name] of names) if (counts.get(name) !== 1) names.set(one, one);
  return names;
}

function toField(first: string | undefined, more: readonly string[]): string | readonly string[] {
  if (first === undefined) return [];
  return more.length === 0 ? first : [first, ...more];
}

/** Letters of every script are kept: a form can have questions in any language. */
function toSnakeCase(name: string): string {
  return name
    .normalize('NFC')
    .replace(unicode(String.raw`(\p{Ll}|\p{N})(\p{Lu})`), '$1_$2')
    .toLowerCase()
    .replace(unicode(String.raw`[^\p{L}\p{M}\p{N}]+`), '_')
    .replace(/^_|_$/g, '');
}

/** A question of a lead form. */
export interface LeadQuestion {
  /**
   * The name of its answer in the `fields` of a lead: in lower snake_case, unless two questions of the form would have the
   * same. `raw` of the form has it as the platform writes it.
   */
  readonly key?: string | undefined;
  readonly label?: string | undefined;
  /** Such as `EMAIL`, or `CUSTOM`. */
  readonly type?: string | undefined;
  /** What a person can choose from. */
  readonly options?: readonly LeadChoice[] | undefined;
}

/** One of the choices of a question. */
export interface LeadChoice {
  /** Its value in a lead's `field_data`. */
  readonly key?: string | undefined;
  /** As people see it. */
  readonly value?: string | undefined;
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

const questionSchema = s.node({
  key: s.text,
  label: s.text,
  type: s.text,
  options: s.listOf(s.node({ key: s.text, value: s.text })),
});

/** Reads a {@link LeadForm}. */
export const leadFormSchema: Schema<LeadForm> = s.objectTo(
  {
    id: s.idSchema,
    name: s.text,
    status: s.text,
    locale: s.text,
    leads_count: s.number,
    questions: s.listOf(questionSchema),
  },
  ({ id, name, status, locale: language, questions = [], leads_count }, raw) => ({
    id,
    name,
    status,
    language,
    questions: withNames(questions),
    leads_count,
    raw,
  }),
);

function withNames(questions: readonly LeadQuestion[]): readonly LeadQuestion[] {
  const names = namesOf(questions.flatMap(({ key }) => key ?? []));
  return questions.map((one) => (one.key === undefined ? one : { ...one, key: names.get(one.key) }));
}

/** An ad, its ad set and its campaign. Fields that the platform does not return are absent. */
export interface AdContext {
  readonly ad_id?: string;
  readonly ad_name?: string;
  readonly adset_id?: string;
  readonly adset_name?: string;
  readonly campaign_id?: string;
  readonly campaign_name?: string;
  /** What the campaign is for, such as `OUTCOME_LEADS`. */
  readonly objective?: string;
  /** What the delivery of the ad set is optimized for, such as `LEAD_GENERATION`. */
  readonly optimization_goal?: string;
  /** The audience of the ad set, as the platform describes it. */
  readonly targeting?: Readonly<Record<string, unknown>>;
}

/** Reads an {@link AdContext} from an ad with its ad set and campaign. */
export const adContextSchema: Schema<AdContext> = s.objectTo(
  {
    id: s.idSchema,
    name: s.text,
    adset: s.optionalObject({
      id: s.optionalId,
      name: s.text,
      optimization_goal: s.text,
      targeting: s.object,
    }),
    campaign: s.optionalObject({ id: s.optionalId, name: s.text, objective: s.text }),
  },
  ({ id, name, adset, campaign }) => {
    const context = withoutGaps({
      ad_id: id,
      ad_name: name,
      adset_id: adset?.id,
      adset_name: adset?.name,
      campaign_id: campaign?.id,
      campaign_name: campaign?.name,
      objective: campaign?.objective,
      optimization_goal: adset?.optimization_goal,
      targeting: adset?.targeting,
    });
    // No field is `undefined` any more.
    return context as AdContext;
  },
);
