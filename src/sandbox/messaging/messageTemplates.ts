import { fieldsOf } from '../../core/objects.ts';
import type { Node } from '../nodes.ts';
import { type Call, ofPage, on, type Route } from '../route.ts';
import { lists, members, reads, type Shape } from '../shapes.ts';
import * as v from '../values.ts';
import { created, deletes, find, listedOn, make, recordEffect, type World } from '../world.ts';
import { ofMessenger } from './inbox.ts';

const shipmentUpdate: v.Fields = {
  type: 'BODY',
  text: 'Hello {{1}}, your order {{2}} is on its way.',
  example: { body_text: [['Ada', '1001']] },
};
/** The templates of the platform's library, by their names. */
const library: ReadonlyMap<string, readonly v.Fields[]> = new Map([['shipment_update', [shipmentUpdate]]]);

const templateShape: Shape<Node<'template'>> = {
  type: 'MessengerBusinessTemplate',
  defaults: ['name', 'status', 'language', 'category'],
  blank: 'rejection_reasons specific_rejection_reasons',
  fields: {
    ...members<Node<'template'>>('id', 'name', 'language', 'status', 'components'),
    category: () => 'UTILITY',
    creation_time: ({ createdAt }) => v.isoTime(createdAt),
    last_updated_time: ({ createdAt }) => v.isoTime(createdAt),
    language_count: () => 1,
    library_template_name: ({ libraryName }) => libraryName,
    parameter_format: ({ format }) => format,
    rejected_reason: ({ status }) => (status === 'REJECTED' ? 'INVALID_FORMAT' : undefined),
  },
};

const statuses = v.wordsIn(`
  APPROVED ARCHIVED DELETED DISABLED IN_APPEAL LIMIT_EXCEEDED PAUSED PENDING PENDING_DELETION REJECTED
`);

function found({ world, params }: Call, page: Node<'page'>): Node<'template'>[] {
  const { name, language, content, name_or_content } = params;
  const status = v.oneOf(params, 'status', statuses);
  v.oneOf(params, 'category', ['UTILITY']);
  return listedOn(world, 'template', page).filter((one) => {
    const text = bodyOf(one);
    return (
      (name === undefined || one.name === name) &&
      (language === undefined || one.language === language) &&
      (status === undefined || one.status === status) &&
      (content === undefined || text.includes(content)) &&
      (name_or_content === undefined || `${one.name} ${text}`.includes(name_or_content))
    );
  });
}

function create(call: Call, page: Node<'page'>): unknown {
  const { world, params } = call;
  v.oneOf(params, 'category', ['UTILITY']);
  const { name = '', language = '', library_template_name: libraryName } = params;
  if (!/^[a-z0-9_]+$/.test(name)) v.invalid('Param name must have lower case letters, digits and _ only');
  if (listedOn(world, 'template', page).some((one) => one.name === name && one.language === language)) {
    return v.invalid(`There already is a template ${name} in ${language}`);
  }
  const format = v.oneOf(params, 'parameter_format', ['POSITIONAL', 'NAMED']) ?? 'POSITIONAL';
  const { status } = world.tuning.templates;
  const node = make(world, 'template', page.owners, {
    pageId: page.id,
    name,
    language,
    format,
    libraryName,
    status,
    components: libraryName === undefined ? componentsIn(call) : libraryOf(libraryName),
  });
  recordEffect(world, 'template', node.id, page.id, { name, language, status });
  return { id: node.id, status, category: 'UTILITY' };
}

function libraryOf(name: string): readonly v.Fields[] {
  return library.get(name) ?? v.invalid(`There is no template ${name} in the library`);
}

/** The components of a template: one of them is the body, and placeholders have examples. */
function componentsIn({ params }: Call): readonly v.Fields[] {
  const components = v.parsed(params['components'] ?? '');
  if (!Array.isArray(components)) return v.invalid('Param components must be an array');
  const all = components.map((one: unknown) => v.objectOf(one, 'components'));
  const body = all.find((one) => v.textIn(one, 'type') === 'BODY');
  if (body === undefined) return v.invalid('A template needs a component of type BODY');
  const places = placesIn(v.textIn(body, 'text')).length;
  const example = fieldsOf(body['example']);
  const { body_text, body_text_named_params } = example;
  const examples: unknown = Array.isArray(body_text) ? body_text[0] : body_text_named_params;
  if (places > 0 && !(Array.isArray(examples) && examples.length === places)) {
    return v.invalid(`A body with ${places} placeholders needs as many examples`);
  }
  return all;
}

/** The placeholders of a text, each once: `1` of `{{1}}`. */
function placesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))];
}

function bodyOf({ components }: Node<'template'>): string {
  const { text } = fieldsOf(components.find((one) => one['type'] === 'BODY'));
  return typeof text === 'string' ? text : '';
}

function remove(call: Call, page: Node<'page'>): unknown {
  const { world, params } = call;
  const { name = '', template_id: id } = params;
  const ofName = listedOn(world, 'template', page).filter(
    (one) => one.name === name && (id === undefined || one.id === id),
  );
  if (ofName.length === 0) return v.missing(id ?? name, call.method);
  for (const one of ofName) {
    world.nodes.delete(one.id);
    recordEffect(world, 'delete', one.id, page.id, { name });
  }
  return { success: true };
}

/** What a message by a template says: the body with its parameters, and whether buttons are below it. */
export function filledTemplate(
  world: World,
  pageId: string,
  message: v.Fields,
): { readonly text: string; readonly hasButtons: boolean } {
  const name = v.textIn(message, 'name');
  const code = v.textIn(v.objectOf(message['language'], 'language'), 'code');
  const template = listedOn(world, 'template', { id: pageId }).find(
    (one) => one.name === name && one.language === code,
  );
  if (template === undefined) return v.invalid(`There is no template ${name} in ${code}`);
  if (template.status !== 'APPROVED') return v.invalid(`The template ${name} is ${template.status}`);
  const given = message['components'] === undefined ? [] : v.listIn(message, 'components', 0, 10);
  const body = given.find((one) => v.textIn(one, 'type').toLowerCase() === 'body');
  const parameters = body === undefined ? [] : v.listIn(body, 'parameters', 0, 100);
  const text = bodyOf(template);
  const places = placesIn(text);
  if (parameters.length !== places.length) {
    return v.invalid(`The template ${name} has ${places.length} placeholders, not ${parameters.length}`);
  }
  const values = new Map(
    parameters.map((one, at) => [
      template.format === 'NAMED' ? v.textIn(one, 'parameter_name') : String(at + 1),
      v.textIn(one, 'text'),
    ]),
  );
  const lacking = places.find((place) => !values.has(place));
  if (lacking !== undefined) return v.invalid(`The placeholder ${lacking} has no parameter`);
  return {
    text: text.replaceAll(/\{\{(\w+)\}\}/g, (_, place: string) => values.get(place) ?? ''),
    hasButtons: template.components.some(({ type }) => type === 'BUTTONS'),
  };
}

const personaShape: Shape<Node<'persona'>> = {
  type: 'Persona',
  defaults: ['name', 'profile_picture_url'],
  fields: { id: ({ id }) => id, name: ({ name }) => name, profile_picture_url: ({ picture }) => picture },
};

function createPersona({ world, params }: Call, page: Node<'page'>): unknown {
  const name = v.textIn(params, 'name');
  if (Array.from(name).length > 50) return v.invalid('Param name must have at most 50 characters');
  const picture = v.addressIn(params, 'profile_picture_url');
  const node = make(world, 'persona', page.owners, { pageId: page.id, name, picture });
  return created(world, 'persona', node.id, page.id, { name });
}

/** Refuses a persona that is not one of the Page. */
export function checkPersona(world: World, pageId: string, id: string | undefined): void {
  if (id !== undefined && find(world, 'persona', id)?.pageId !== pageId) {
    v.invalid('Param persona_id must be the ID of a persona of the Page');
  }
}

const personas = lists(personaShape, ({ world }, page: Node<'page'>) => listedOn(world, 'persona', page));
const templating = ofPage([...ofMessenger, 'pages_utility_messaging'], ['MESSAGING']);
const writing = ofPage(ofMessenger, ['MESSAGING']);
const listParams = 'category content language name name_or_content status';
const createParams = `
  category! components language! library_template_button_inputs library_template_name name! parameter_format
`;

/** Templates of messages, and the personas that a Page writes under. */
export const messageTemplateRoutes: readonly Route[] = [
  on('GET', 'page', 'message_templates', templating, lists(templateShape, found), listParams),
  on('POST', 'page', 'message_templates', templating, create, createParams),
  on('DELETE', 'page', 'message_templates', templating, remove, 'name! template_id'),
  on('GET', 'template', '', templating, reads(templateShape)),
  on('GET', 'page', 'personas', writing, personas),
  on('POST', 'page', 'personas', writing, createPersona, 'name! profile_picture_url!'),
  on('GET', 'persona', '', writing, reads(personaShape)),
  on('DELETE', 'persona', '', writing, deletes('pageId')),
];
