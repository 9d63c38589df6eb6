import { invalid } from '../errors.ts';
import { loginOnly } from '../pics/access.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { add, recordEffect } from '../world.ts';
import { attachmentTypes } from './content.ts';
import { inboxScopes, inboxTasks, ofPics, ownerOf, pageOnly } from './owner.ts';
import { fileIn, objectIn, objectOf, textIn } from './values.ts';

const common = { method: 'POST', edge: 'message_attachments', required: ['message'] } as const;

export const attachmentRoutes: readonly Route[] = [
  onNode({
    ...loginOnly,
    ...common,
    on: 'picsAccount',
    scopes: ofPics,
    params: ['message'],
    run: (call, account) => upload(call, account.id),
  }),
  onNode({
    ...pageOnly,
    ...common,
    on: 'page',
    scopes: inboxScopes,
    tasks: inboxTasks,
    params: ['message', 'platform', 'filedata'],
    run: (call, page) => upload(call, ownerOf(call, page)),
  }),
];

function upload({ world, params }: Call, ownerId: string | undefined): unknown {
  if (ownerId === undefined) return invalid('The Page has no account');
  const attachment = objectOf(objectIn(params, 'message')['attachment'], 'message[attachment]');
  const type = textIn(attachment, 'type');
  if (!attachmentTypes.includes(type)) {
    return invalid(`Param type must be one of {${attachmentTypes.join(', ')}}`);
  }
  const payload = attachment['payload'] === undefined ? {} : objectOf(attachment['payload'], 'payload');
  const { filedata } = params;
  if ((filedata === undefined) === (payload['url'] === undefined)) return invalid('Give a url or a file');
  const id = world.newId();
  const url = filedata === undefined ? fileIn(payload, 'url') : `https://cdn.sandbox.test/files/${id}`;
  add(world, {
    kind: 'attachment',
    id,
    owners: [ownerId],
    createdAt: world.now(),
    ownerId,
    type,
    url,
  });
  recordEffect(world, 'attachment', id, ownerId, {
    type,
    ...(filedata === undefined ? { url } : { filedata }),
  });
  return { attachment_id: id };
}
