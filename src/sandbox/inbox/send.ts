import { linkedTo } from '../auth/grants.ts';
import { checkScopes, checkTasks } from '../checks.ts';
import { invalid, refuse } from '../errors.ts';
import { loginMessageParams, pageMessageParams } from '../knownNames.ts';
import { oneOf } from '../page/values.ts';
import { loginOnly, needs } from '../pics/access.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { find, recordEffect } from '../world.ts';
import { act } from './action.ts';
import { type Content, contentOf, type Sender } from './content.ts';
import type { ContactNode, ConversationNode, MessageNode } from './nodes.ts';
import { ofMessenger, ofPics, pageOnly } from './owner.ts';
import { commentatorOf } from './privateReply.ts';
import { addMessage, conversationWith, isOpen } from './talk.ts';
import { type Fields, objectIn, textIn } from './values.ts';

const common = { method: 'POST', edge: 'messages', required: ['recipient'] } as const;
const replying = needs(['manage_comments', 'manage_messages']);

export const sendRoutes: readonly Route[] = [
  onNode({
    ...loginOnly,
    ...common,
    on: 'picsAccount',
    scopes: ofPics,
    params: loginMessageParams,
    run: (call, account) => {
      const recipient = objectIn(call.params, 'recipient');
      checkScopes(call, recipient['comment_id'] === undefined ? [] : replying(call));
      return send(call, account.id, recipient);
    },
  }),
  onNode({
    ...pageOnly,
    ...common,
    on: 'page',
    // Who may write to whom depends on the recipient: one path serves the Page and its account.
    scopes: [],
    params: pageMessageParams,
    run: (call, page) => {
      const recipient = objectIn(call.params, 'recipient');
      const isOwn = isOfPage(call, page.id, recipient);
      const isPrivate = recipient['comment_id'] !== undefined;
      checkScopes(
        call,
        isOwn ? ofMessenger : isPrivate ? [...replying(call), 'pages_messaging'] : ofPics(call),
      );
      checkTasks(call, isOwn ? ['MESSAGING'] : []);
      return send(call, isOwn ? page.id : linkedTo(call.world, call.token, page.id), recipient);
    },
  }),
];

/** Whether a recipient belongs to the Page, not to its account: a person, or the author of a comment or a post. */
function isOfPage({ world }: Call, pageId: string, recipient: Fields): boolean {
  const { id, comment_id, post_id } = recipient;
  if (post_id !== undefined || find(world, 'comment', String(comment_id)) !== undefined) return true;
  // Ids of its contacts have another prefix than those of its account's contacts.
  return find(world, 'contact', String(id))?.ownerId === pageId || String(id).startsWith('24');
}

function send(call: Call, ownerId: string | undefined, recipient: Fields): unknown {
  const { world, params } = call;
  if (ownerId === undefined) return unknownRecipient(false);
  const isPage = find(world, 'page', ownerId) !== undefined;
  const sender = { world, ownerId, isPage };
  if (recipient['comment_id'] !== undefined || recipient['post_id'] !== undefined) {
    return replyPrivately(call, sender, recipient);
  }
  const contact = find(world, 'contact', textIn(recipient, 'id'));
  if (contact?.ownerId !== ownerId || contact.gone) return unknownRecipient(isPage);
  const conversation = conversationWith(world, contact.id);
  if (params['sender_action'] !== undefined) return act(call, contact, conversation);
  const content = read(call, sender);
  const type = oneOf(params, 'messaging_type', ['MESSAGE_TAG', 'RESPONSE', 'UPDATE', 'UTILITY']);
  const tag = type === 'MESSAGE_TAG' ? oneOf(params, 'tag', ['HUMAN_AGENT']) : undefined;
  if (conversation === undefined || !isOpen(world, conversation, tag)) {
    return refuse({
      code: 10,
      error_subcode: isPage ? 2_018_278 : 2_534_022,
      message: '(#10) This message is sent outside of allowed window.',
    });
  }
  return deliver(sender, contact, conversation, content, replyOf(call, conversation));
}

function replyPrivately(call: Call, sender: Sender, recipient: Fields): unknown {
  const content = read(call, sender);
  const { contact, on } = commentatorOf(call, sender, recipient);
  const conversation = conversationWith(sender.world, contact.id, true);
  const sent = deliver(sender, contact, conversation, content, {});
  recordEffect(sender.world, 'private_reply', sent.message_id, on, { recipientId: contact.id });
  return sent;
}

function read({ params }: Call, sender: Sender): Content {
  if (params['message'] === undefined) return invalid('The parameter message is required');
  return contentOf(sender, objectIn(params, 'message'));
}

/** The message that this one replies to. */
function replyOf({ world, params }: Call, conversation: ConversationNode): Fields {
  if (params['reply_to'] === undefined) return {};
  const mid = textIn(objectIn(params, 'reply_to'), 'mid');
  const on = find(world, 'message', mid);
  if (on?.conversationId !== conversation.id) return invalid('The message to reply to does not exist');
  return { reply_to: { mid, is_self_reply: !on.inbound } };
}

function deliver(
  { world }: Sender,
  contact: ContactNode,
  conversation: ConversationNode,
  { text, extra }: Content,
  reply: Fields,
): { readonly recipient_id: string; readonly message_id: string } {
  const made: MessageNode = addMessage(world, conversation, false, text, { ...extra, ...reply });
  const content = text === '' ? extra : { text };
  recordEffect(world, 'message', made.id, conversation.id, {
    recipientId: contact.id,
    ...content,
    ...reply,
  });
  return { recipient_id: contact.id, message_id: made.id };
}

function unknownRecipient(isPage: boolean): never {
  return invalid('No matching user found', isPage ? 2_018_001 : 2_534_014);
}
