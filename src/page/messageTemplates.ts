import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest } from '../core/http/send.ts';
import type { FieldOptions, List, ListOptions } from '../core/lists/list.ts';
import { listRules, performList } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { queryEntries, textOf, toListed } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type Acknowledgement, acknowledgementSchema, entriesAt, toNumber } from '../models/fields.ts';
import type { CreatedTemplate, MessageTemplate } from '../models/inbox.ts';
import { createdTemplateSchema, messageTemplateSchema } from '../models/inbox.ts';
import type { PageContext } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';

export interface MessageTemplatesOptions extends OnePageOptions, ListOptions, FieldOptions {
  /** Only the templates of this name, in all languages. */
  readonly name?: string | undefined;
  /** Only those in this language, such as `en_US`. */
  readonly language?: string | undefined;
  /** Only those in this state, such as `APPROVED`. */
  readonly status?: string | undefined;
}

/**
 * Lists the templates of a Page for messages outside of the 24 hours.
 *
 * Source: platform reference, Page message templates. The shape of a template is unverified: no live response is known.
 *
 * @example
 * const usable = await messageTemplates(context, { pageId, pageToken, status: 'APPROVED' });
 * if (usable.isOk()) console.log(usable.value.map((template) => template.name));
 */
export function messageTemplates(
  context: PageContext,
  options: MessageTemplatesOptions,
): ResultAsync<List<MessageTemplate>, Failure> {
  const checked = check(context, options, {
    ...pageRules,
    name: rule.optional(rule.text),
    language: rule.optional(rule.text),
    status: rule.optional(rule.text),
    ...listRules,
  });
  return performList(context, 'messageTemplates', checked, 25, (options) => {
    const { pageId, name, language, status } = options;
    const filter = { name, language, status };
    const list = entriesAt(path`${pageId}/message_templates`, messageTemplateSchema, options, filter);
    return { ...list, pageSize: 25 };
  });
}

interface CreateTemplateCommon extends OnePageOptions {
  /** The Page can have one template of this name in each language. */
  readonly name: string;
  /** Such as `en_US`. */
  readonly language: string;
}

/** A template of your own. */
export interface OwnTemplate {
  /**
   * Its header, body and buttons, with the platform's names: `{ type: 'BODY', text: 'Order {{1}} has left', example: {
   * body_text: [['1001']] } }`. A placeholder needs an example.
   */
  readonly components: readonly TemplateComponent[];
  /**
   * Whether placeholders are numbers, `{{1}}`, or names, `{{order}}`.
   * @default 'POSITIONAL'
   */
  readonly parameterFormat?: 'POSITIONAL' | 'NAMED' | undefined;
  readonly libraryTemplateName?: undefined;
  readonly libraryTemplateButtonInputs?: undefined;
}

/** A template from the platform's library. */
export interface LibraryTemplate {
  /** The name of a template of the platform's library. */
  readonly libraryTemplateName: string;
  /** What its buttons need, with the platform's names, such as an address. Their shape is unverified. */
  readonly libraryTemplateButtonInputs?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly components?: undefined;
  readonly parameterFormat?: undefined;
}

/** A part of a template, with the platform's names. */
export interface TemplateComponent {
  /** Such as `HEADER`, `BODY` or `BUTTONS`. */
  readonly type: string;
  readonly [name: string]: unknown;
}

export type CreateMessageTemplateOptions = CreateTemplateCommon & (OwnTemplate | LibraryTemplate);

/**
 * Creates a template for messages outside of the 24 hours: of your own, or from the platform's library. The platform
 * decides within seconds whether it is approved, and reports it by the webhook `message_template_status_update`.
 *
 * Once-only: after a lost response, it is looked up by its name and language.
 *
 * Source: platform guide, Send a utility message. Unverified: no live response is known.
 *
 * @example
 * const made = await createMessageTemplate(context, {
 *   pageId,
 *   pageToken,
 *   name: 'order_sent',
 *   language: 'en_US',
 *   components: [{ type: 'BODY', text: 'Order {{1}} is on its way.', example: { body_text: [['1001']] } }],
 * });
 * if (made.isOk()) console.log(made.value.id, made.value.status);
 */
export function createMessageTemplate(
  context: PageContext,
  options: CreateMessageTemplateOptions,
): ResultAsync<CreatedTemplate, Failure> {
  const checked = check(
    context,
    options,
    templateRules,
    exactlyOneOf('components', 'libraryTemplateName'),
    checkKind,
  );
  return perform(context, 'createMessageTemplate', checked, (call, options) => {
    const { pageId, name, language, components, parameterFormat } = options;
    let status: string | undefined;
    return sendOnce(
      context,
      {
        ...call,
        method: POST,
        path: path`${pageId}/message_templates`,
        json: {
          name,
          language,
          category: 'UTILITY',
          components,
          parameter_format: parameterFormat,
          library_template_name: options.libraryTemplateName,
          library_template_button_inputs: options.libraryTemplateButtonInputs,
        },
        schema: createdTemplateSchema,
      },
      // There is one of a name in a language. One that is older was there before.
      {
        kind: 'entry',
        idOf: ({ id }) => id,
        toValue: (id) => ({ id, ...(status !== undefined && { status }) }),
        entries: {
          list: `${pageId}/message_templates`,
          text: `${name} ${language}`,
          query: (limits) =>
            queryEntries(context, {
              ...call,
              ...limits,
              path: path`${pageId}/message_templates`,
              query: { name, language, fields: 'id,name,language,status,creation_time' },
            }).map((templates) => ({
              entries: templates
                .filter((one) => one['name'] === name && one['language'] === language)
                .map((one) => {
                  status = textOf(one['status']) || undefined;
                  const seconds = toNumber(one['creation_time']);
                  const listed = toListed(one, 'creation_time', `${name} ${language}`);
                  return seconds === undefined ? listed : { ...listed, createdAt: seconds * 1000 };
                }),
            })),
        },
      },
    );
  });
}

/** Refuses options of the other kind of template. */
const templateRules = {
  ...pageRules,
  name: rule.text,
  language: rule.text,
  components: rule.optional(rule.copyOfJson(rule.listOf(rule.openFields({ type: rule.text }), 1))),
  parameterFormat: rule.optional(rule.oneOf('POSITIONAL', 'NAMED')),
  libraryTemplateName: rule.optional(rule.text),
  libraryTemplateButtonInputs: rule.optional(rule.copyOfJson(rule.listOf(rule.openFields({})))),
};

function checkKind(options: CreateMessageTemplateOptions): rule.Fault | undefined {
  const [other, home] =
    options.libraryTemplateName === undefined
      ? (['libraryTemplateButtonInputs', 'templates from the library'] as const)
      : (['parameterFormat', 'templates of your own'] as const);
  return options[other] === undefined ? undefined : rule.faultOf(`is for ${home} only`, other);
}

export interface DeleteMessageTemplateOptions extends OnePageOptions {
  readonly name: string;
  /**
   * The template of one language.
   * @default those of all languages
   */
  readonly templateId?: string | undefined;
}

/**
 * Deletes a template of a Page: in all languages, or with `templateId` in one.
 *
 * After a lost response it is sent again. If the platform then says that there is no such template, the error's
 * `outcome` is `unknown`.
 *
 * Source: platform reference, Page message templates. Unverified: no live response is known.
 *
 * @example
 * const deleted = await deleteMessageTemplate(context, { pageId, pageToken, name: 'order_sent' });
 * if (deleted.isErr()) console.error(deleted.error.message);
 */
export function deleteMessageTemplate(
  context: PageContext,
  options: DeleteMessageTemplateOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, {
    ...pageRules,
    name: rule.text,
    templateId: rule.optional(rule.id),
  });
  return performRequest(context, 'deleteMessageTemplate', checked, ({ pageId, name, templateId }) => ({
    method: DELETE,
    path: path`${pageId}/message_templates`,
    query: { name, template_id: templateId },
    schema: acknowledgementSchema,
  }));
}
