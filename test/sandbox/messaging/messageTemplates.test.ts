import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still } from '../support/caller.ts';

const components = JSON.stringify([
  { type: 'BODY', text: 'Order {{1}} is on its way.', example: { body_text: [['1001']] } },
]);
const parameters = [{ type: 'text', text: '1001' }];

function setting() {
  const sandbox = still();
  const page = pageOf(sandbox);
  const { get, post, del } = caller(sandbox);
  const contact = page.contacts.find(({ inWindow }) => inWindow);
  const edge = `/${page.id}/message_templates`;
  return {
    sandbox,
    page,
    contact,
    token: page.token,
    list: (query: Record<string, string> = {}) => get(edge, page.token, query),
    create: (more: Record<string, string> = {}, token = page.token) =>
      post(edge, token, { category: 'UTILITY', name: 'order_sent', language: 'en_US', components, ...more }),
    remove: (query: Record<string, string>) => del(edge, page.token, query),
    read: (path: string, query: Record<string, string> = {}) => get(path, page.token, query),
    send: (message: object, more: Record<string, string> = {}) =>
      post(`/${page.id}/messages`, page.token, {
        recipient: JSON.stringify({ id: contact?.id }),
        message: JSON.stringify(message),
        ...more,
      }),
    persona: (more: Record<string, string> = {}) =>
      post(`/${page.id}/personas`, page.token, {
        name: 'Ada',
        profile_picture_url: 'https://example.com/ada.jpg',
        ...more,
      }),
  };
}

const utility = { messaging_type: 'UTILITY' };
const template = (more: object = {}): object => ({
  template: {
    name: 'order_sent',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters }],
    ...more,
  },
});

describe('message templates', () => {
  test('are created, read, listed and deleted, one of a name in each language', async () => {
    const { create, list, read, remove } = setting();
    const { body } = await create();
    expect(body).toEqual({ id: expect.any(String), status: 'APPROVED', category: 'UTILITY' });
    expect(refusal(await create())).toEqual([400, 100, undefined]);
    expect((await create({ language: 'de_DE' })).status).toBe(200);

    const fields = 'name,language,parameter_format,creation_time';
    expect((await read(`/${body.id}`, { fields })).body).toEqual({
      id: body.id,
      name: 'order_sent',
      language: 'en_US',
      parameter_format: 'POSITIONAL',
      creation_time: expect.any(String),
    });
    const languages = async (query: Record<string, string>): Promise<readonly string[]> =>
      (await list({ fields: 'language', ...query })).body.data.map(
        (one: { language: string }) => one.language,
      );
    expect(await languages({ name: 'order_sent' })).toEqual(['de_DE', 'en_US']);
    expect(await languages({ language: 'en_US', status: 'APPROVED', content: 'way' })).toEqual(['en_US']);
    expect(await languages({ name_or_content: 'other' })).toEqual([]);

    expect((await remove({ name: 'order_sent', template_id: body.id })).body).toEqual({ success: true });
    expect(await languages({})).toEqual(['de_DE']);
    expect((await remove({ name: 'order_sent' })).body).toEqual({ success: true });
    expect(refusal(await remove({ name: 'order_sent' }))).toEqual([400, 100, 33]);
  });

  test.each([
    ['with a name in capitals', { name: 'Order' }],
    ['of another category', { category: 'MARKETING' }],
    ['without a body', { components: '[]' }],
    ['with a placeholder without an example', { components: '[{"type":"BODY","text":"{{1}}"}]' }],
    ['of an unknown name in the library', { library_template_name: 'none' }],
    ['of a name that every object has', { library_template_name: 'constructor' }],
  ])('%s are refused', async (_, bad) => {
    const { create } = setting();
    expect(refusal(await create(bad))).toEqual([400, 100, undefined]);
  });

  test('need the permission pages_utility_messaging', async () => {
    const { sandbox, page, create } = setting();
    const token = sandbox.issueToken({
      kind: 'page',
      pageId: page.id,
      scopes: ['pages_show_list', 'pages_messaging', 'pages_manage_metadata', 'pages_read_engagement'],
    });
    expect(refusal(await create({}, token))).toEqual([403, 200, undefined]);
  });

  test('that are decided are announced to a Page that subscribed to it', async () => {
    const { sandbox, page, create } = setting();
    await caller(sandbox).post(`/${page.id}/subscribed_apps`, page.token, {
      subscribed_fields: 'message_template_status_update',
    });
    sandbox.tune({ templates: { status: 'REJECTED' } });
    const { body } = await create();
    sandbox.tune({ templates: { status: 'PENDING' } });
    await create({ name: 'other' });

    const sent = await sandbox.deliver(() => Promise.resolve(new Response()));

    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toContain(`"message_template_id":${body.id},`);
    expect(JSON.parse(sent[0]?.body ?? '').entry[0].changes).toMatchObject([
      {
        field: 'message_template_status_update',
        value: { event: 'REJECTED', message_template_name: 'order_sent' },
      },
    ]);
  });
});

describe('a message by a template', () => {
  test('is accepted outside of the window, and says what the template says', async () => {
    const { sandbox, contact, create, send, read } = setting();
    await create();
    sandbox.advance(30 * 86_400_000);
    expect(refusal(await send({ text: 'Hi' }))).toEqual([403, 10, 2_018_278]);

    const { body } = await send(template(), utility);

    expect(body).toEqual({ recipient_id: contact?.id, message_id: expect.any(String) });
    const { body: shown } = await read(`/${body.message_id}`, { fields: 'message' });
    expect(shown.message).toBe('Order 1001 is on its way.');
  });

  test('with named parameters and buttons is shown as a template', async () => {
    const { create, send, read } = setting();
    const body = {
      type: 'BODY',
      text: 'Order {{order}}',
      example: { body_text_named_params: [{ param_name: 'order', example: '1' }] },
    };
    await create({
      parameter_format: 'NAMED',
      components: JSON.stringify([body, { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track' }] }]),
    });
    const named = [{ type: 'text', text: '7', parameter_name: 'order' }];

    const sent = await send(template({ components: [{ type: 'body', parameters: named }] }), utility);

    const { body: shown } = await read(`/${sent.body.message_id}`, { fields: 'message,attachments' });
    expect(shown).toMatchObject({
      message: '',
      attachments: { data: [{ generic_template: { title: 'Order 7' } }] },
    });
  });

  test.each([
    ['of an unknown name', template({ name: 'other' }), utility],
    ['in another language', template({ language: { code: 'de_DE' } }), utility],
    ['without its parameters', template({ components: undefined }), utility],
    ['without the type', template(), {}],
    ['that has a text too', { ...template(), text: 'Hi' }, utility],
    ['that has no template', { text: 'Hi' }, utility],
  ])('%s is refused', async (_, message, more) => {
    const { create, send } = setting();
    await create();
    expect(refusal(await send(message, more))).toEqual([400, 100, undefined]);
  });

  test('is refused until the template is approved', async () => {
    const { sandbox, create, send } = setting();
    sandbox.tune({ templates: { status: 'PENDING' } });
    await create();
    expect(refusal(await send(template(), utility))).toEqual([400, 100, undefined]);
  });
});

describe('personas', () => {
  test('are created, listed, written under, and deleted', async () => {
    const { sandbox, page, persona, read, send } = setting();
    const { body } = await persona();
    const ada = { id: body.id, name: 'Ada', profile_picture_url: 'https://example.com/ada.jpg' };
    expect((await read(`/${page.id}/personas`)).body.data).toEqual([ada]);
    expect((await read(`/${body.id}`)).body).toEqual(ada);
    expect((await send({ text: 'Hi' }, { persona_id: body.id })).status).toBe(200);
    const { del } = caller(sandbox);
    expect((await del(`/${body.id}`, page.token, {})).body).toEqual({ success: true });
    expect(refusal(await send({ text: 'Hi' }, { persona_id: body.id }))).toEqual([400, 100, undefined]);
    expect(refusal(await persona({ name: 'x'.repeat(51) }))).toEqual([400, 100, undefined]);
  });
});

describe('metadata', () => {
  test('comes back in the echo, and has 1000 characters at most', async () => {
    const { sandbox, page, send } = setting();
    await caller(sandbox).post(`/${page.id}/subscribed_apps`, page.token, {
      subscribed_fields: 'message_echoes',
    });
    expect(refusal(await send({ text: 'Hi', metadata: 'x'.repeat(1001) }))).toEqual([400, 100, undefined]);
    await send({ text: 'Hi', metadata: 'order 7' });
    const [sent] = await sandbox.deliver(() => Promise.resolve(new Response()));
    expect(JSON.parse(sent?.body ?? '').entry[0].messaging[0].message).toMatchObject({
      is_echo: true,
      metadata: 'order 7',
    });
  });
});
