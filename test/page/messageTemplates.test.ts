import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createWriteMemory } from '../../src/core/writes/memory.ts';
import {
  createMessageTemplate,
  deleteMessageTemplate,
  messageTemplates,
} from '../../src/page/messageTemplates.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };
const edge = '/42/message_templates';
const fields =
  'id,name,language,status,category,components,parameter_format,rejected_reason,library_template_name';
const body = { type: 'BODY', text: 'Order {{1}} is on its way.', example: { body_text: [['1001']] } };

describe('messageTemplates', () => {
  test('lists them by name, language and status, and drops what does not fit', async () => {
    const sent = {
      id: 9007199254740993n,
      name: 'order_sent',
      language: 'en_US',
      status: 'APPROVED',
      components: [body, null, 'x'],
      rejected_reason: {},
      creation_time: 1,
    };
    nock(graphBase)
      .get(edge)
      .query({
        ...authenticated,
        fields,
        name: 'order_sent',
        language: 'en_US',
        status: 'APPROVED',
        limit: '25',
      })
      .reply(200, JSON.stringify({ data: [{ ...sent, id: 'ID' }] }).replace('"ID"', String(sent.id)));

    const templates = await messageTemplates(pageContext(), {
      ...options,
      name: 'order_sent',
      language: 'en_US',
      status: 'APPROVED',
    });

    expect(templates._unsafeUnwrap()).toEqual([
      {
        id: '9007199254740993',
        name: 'order_sent',
        language: 'en_US',
        status: 'APPROVED',
        components: [body],
        creation_time: 1,
      },
    ]);
    expect(templates._unsafeUnwrap()).toMatchObject({ hasMore: false, unreadable: 0 });
  });

  test('reads other fields, and more than a page', async () => {
    const query = { ...authenticated, fields: 'id,status', limit: '25' };
    const next = `${graphBase}${edge}?after=A`;
    nock(graphBase)
      .get(edge)
      .query(query)
      .reply(200, { data: [{ id: '1' }], paging: { next } });
    nock(graphBase)
      .get(edge)
      .query({ ...authenticated, after: 'A' })
      .reply(200, { data: [{ id: '2' }] });

    const templates = await messageTemplates(pageContext(), {
      ...options,
      fields: ['id', 'status'],
      limit: 30,
    });

    expect(templates._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2']);
  });
});

const own = { ...options, name: 'order_sent', language: 'en_US', components: [body] };

function wireTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000');
}

describe('createMessageTemplate', () => {
  test.each([
    [
      'of one’s own',
      { components: [body], parameterFormat: 'NAMED' as const },
      { components: [body], parameter_format: 'NAMED' },
    ],
    [
      'of the library',
      { libraryTemplateName: 'shipment_update', libraryTemplateButtonInputs: [{ type: 'URL' }] },
      { library_template_name: 'shipment_update', library_template_button_inputs: [{ type: 'URL' }] },
    ],
  ])('creates a template %s', async (_, given, sent) => {
    nock(graphBase)
      .post(edge, { name: 'order_sent', language: 'en_US', category: 'UTILITY', ...sent })
      .query(authenticated)
      .reply(200, { id: 56, status: 'APPROVED', category: 'UTILITY' });

    const made = await createMessageTemplate(pageContext(), {
      ...options,
      name: 'order_sent',
      language: 'en_US',
      ...given,
    });

    expect(made._unsafeUnwrap()).toEqual({ id: '56', status: 'APPROVED', category: 'UTILITY' });
  });

  test('sends what was given, whatever becomes of it later', async () => {
    const components = [{ ...body, text: 'Hello' }];
    nock(graphBase)
      .post(edge, (sent: { components: { text: string }[] }) => sent.components[0]?.text === 'Hello')
      .query(true)
      .reply(200, { id: '56' });

    const making = createMessageTemplate(pageContext(), { ...own, components });
    components[0] = { ...body, text: 'Bye' };

    expect((await making)._unsafeUnwrap()).toEqual({ id: '56' });
  });

  /** A virtual clock of its own for each, and what the list shows at that time. */
  test.each<[string, (now: number) => object, 'ok' | 'unknown']>([
    ['is found by its name and language', (now) => ({ creation_time: wireTime(now) }), 'ok'],
    ['is found by a time in seconds', (now) => ({ creation_time: Math.floor(now / 1000) }), 'ok'],
    [
      'is not one in another language',
      (now) => ({ creation_time: wireTime(now), language: 'de_DE' }),
      'unknown',
    ],
    [
      'is not one whose name has the same letters',
      (now) => ({ creation_time: wireTime(now), name: 'ordersent' }),
      'unknown',
    ],
    ['is not one that was there before', (now) => ({ creation_time: wireTime(now - 86_400_000) }), 'unknown'],
    ['is not one without a time', () => ({}), 'unknown'],
  ])('a lost one %s', async (_, shown, outcome) => {
    const clock = virtualClock();
    nock(graphBase).post(edge).query(true).replyWithError(new Error('reset'));
    nock(graphBase)
      .get(edge)
      .query({
        ...authenticated,
        name: 'order_sent',
        language: 'en_US',
        fields: 'id,name,language,status,creation_time',
      })
      .times(outcome === 'ok' ? 1 : 4)
      .reply(
        200,
        () => ({
          data: [
            { id: '56', name: 'order_sent', language: 'en_US', status: 'PENDING', ...shown(clock.now()) },
          ],
        }),
        dated(clock),
      );

    const made = await createMessageTemplate(pageContext({ clock, memory: createWriteMemory() }), own);

    if (outcome === 'ok') expect(made._unsafeUnwrap()).toEqual({ id: '56', status: 'PENDING' });
    else expect(made._unsafeUnwrapErr()).toMatchObject({ outcome });
  });

  test('that the platform refuses is rejected', async () => {
    nock(graphBase)
      .post(edge)
      .query(true)
      .reply(400, refusal(100, { message: '(#100) There already is one' }));

    expect((await createMessageTemplate(pageContext(), own))._unsafeUnwrapErr()).toMatchObject({
      outcome: 'rejected',
      code: 100,
    });
  });

  test.each([
    [{ components: undefined }, 'components', 'give exactly one of components and libraryTemplateName'],
    [{ libraryTemplateName: 'a' }, 'components', 'give exactly one of components and libraryTemplateName'],
    [{ components: [] }, 'components', 'components must be a list of 1 or more'],
    [{ components: [{ text: 'Hi' }] }, 'components[0].type', 'components[0].type must be a non-empty string'],
    [{ name: ' ' }, 'name', 'name must be a non-empty string'],
    [
      { libraryTemplateButtonInputs: [{}] },
      'libraryTemplateButtonInputs',
      'libraryTemplateButtonInputs is for templates from the library only',
    ],
    [
      { components: undefined, libraryTemplateName: 'a', parameterFormat: 'NAMED' },
      'parameterFormat',
      'parameterFormat is for templates of your own only',
    ],
  ])('refuses %o before anything is sent', async (bad, option, message) => {
    const wrong = { ...own, ...bad } as unknown as typeof own;

    expect((await createMessageTemplate(pageContext(), wrong))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
      message,
    });
  });
});

describe('deleteMessageTemplate', () => {
  test.each([
    ['all languages', {}, {}],
    ['one language', { templateId: '56' }, { template_id: '56' }],
  ])('deletes %s', async (_, given, sent) => {
    nock(graphBase)
      .delete(edge)
      .query({ ...authenticated, name: 'order_sent', ...sent })
      .reply(200, { success: true });

    const deleted = await deleteMessageTemplate(pageContext(), { ...options, name: 'order_sent', ...given });

    expect(deleted._unsafeUnwrap()).toEqual({ success: true });
  });
});
