import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/messageTemplates.ts';
import { idOf, onPage } from '../at.ts';
import { hasId, haveIds, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { pageToken, paging, time } from '../values.ts';
import { orderSent } from './shared.ts';

const template = {
  id: '56',
  name: 'order_sent',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hi' }],
  creation_time: time,
};

const templates = { 'GET 42/message_templates': { data: [template], paging } };
const newTemplate = { pageId: '42', pageToken, name: 'order_sent', language: 'en_US' };

export const messageTemplates: Table<PageContext, typeof subject> = {
  messageTemplates: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      name: 'non-empty',
      language: 'non-empty',
      status: 'non-empty',
      limit: 'count',
      fields: 'names',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        name: 'order_sent',
        language: 'en_US',
        status: 'APPROVED',
        limit: 10,
        fields: ['id', 'name'],
      },
    ],
    routes: templates,
    holds: haveIds,
    options: onPage,
  },
  createMessageTemplate: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      name: 'non-empty',
      language: 'non-empty',
      components: 'list',
      parameterFormat: 'choice',
      libraryTemplateName: 'non-empty',
      libraryTemplateButtonInputs: 'list',
    },
    variants: [
      { ...newTemplate, components: [{ type: 'BODY', text: 'Hi' }], parameterFormat: 'NAMED' },
      {
        ...newTemplate,
        libraryTemplateName: 'shipment_update',
        libraryTemplateButtonInputs: [{ type: 'URL' }],
      },
    ],
    routes: { ...templates, 'POST 42/message_templates': { id: '56', status: 'APPROVED' } },
    holds: hasId,
    options: orderSent,
    writes: [{ kind: 'template', id: 'id', lost: { path: /\/message_templates$/ } }],
  },
  deleteMessageTemplate: {
    kinds: { pageId: 'id', pageToken: 'token', name: 'non-empty', templateId: 'id' },
    variants: [{ pageId: '42', pageToken, name: 'order_sent', templateId: '56' }],
    routes: { 'DELETE 42/message_templates': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, at }) => idOf(page.createMessageTemplate(context, orderSent(at))),
    options: (at) => ({ ...onPage(at), name: 'order_sent' }),
    // "No such object" is also what a missing permission is called.
    writes: [{ kind: 'delete', lost: { method: 'DELETE', path: /\/message_templates$/, again: 'unknown' } }],
  },
};
