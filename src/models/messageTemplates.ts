import { arrayOf, idSchema, node, object, objectOf, part, type Raw, type Schema, text } from './fields.ts';

/** A template of a Page for messages outside of the 24 hours. Further fields of the platform are kept. */
export interface MessageTemplate {
  readonly id: string;
  readonly name?: string | undefined;
  /** Such as `en_US`. */
  readonly language?: string | undefined;
  /**
   * `APPROVED` if it can be sent; else such as `PENDING`, `REJECTED`, `PAUSED`, `DISABLED`, `IN_APPEAL`,
   * `LIMIT_EXCEEDED`, `ARCHIVED`, `PENDING_DELETION` or `DELETED`.
   */
  readonly status?: string | undefined;
  /** `UTILITY`. */
  readonly category?: string | undefined;
  /** Its header, body and buttons, as the platform describes them. */
  readonly components?: readonly Raw[] | undefined;
  /** `POSITIONAL` or `NAMED`. */
  readonly parameter_format?: string | undefined;
  /** Why it was rejected. */
  readonly rejected_reason?: string | undefined;
  /** The template of the platform's library that it was made from. */
  readonly library_template_name?: string | undefined;
  /** The template as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** A template that was created. */
export interface CreatedTemplate {
  readonly id: string;
  /** `APPROVED` if it can be sent at once; the platform decides in seconds. */
  readonly status?: string | undefined;
}

/** Reads a {@link MessageTemplate}. */
export const messageTemplateSchema: Schema<MessageTemplate> = node({
  id: idSchema,
  name: text,
  language: text,
  status: text,
  category: text,
  components: part(arrayOf(object)),
  parameter_format: text,
  rejected_reason: text,
  library_template_name: text,
});

/** Reads a {@link CreatedTemplate}. */
export const createdTemplateSchema: Schema<CreatedTemplate> = objectOf({ id: idSchema, status: text });
