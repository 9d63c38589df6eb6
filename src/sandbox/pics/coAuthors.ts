import type { Collaboration, Node } from '../nodes.ts';
import { type Call, inPageMode, on, type Route } from '../route.ts';
import { lists, members, type Shape } from '../shapes.ts';
import { flag, invalid, missing } from '../values.ts';
import { find, listed, succeed } from '../world.ts';
import { mediaShape } from './media.ts';

const inviteShape: Shape<Node<'picsMedia'>> = {
  type: 'ShadowIGUserCollaborationInvites',
  fields: {
    caption: (media) => media.caption,
    media_id: (media) => media.id,
    media_owner_username: (media, call) => mediaShape(call).fields['username']?.(media, call),
    media_url: (media) => media.url,
  },
};

const collaboratorShape: Shape<Collaboration> = {
  type: 'ShadowIGMediaCollaborators',
  defaults: ['invite_status', 'username'],
  fields: { ...members<Collaboration>('id', 'username'), invite_status: ({ status }) => status },
};

/** Accepts or declines to be a collaborator. The answer cannot be changed. */
function answer({ world, params, method }: Call, account: Node<'picsAccount'>): unknown {
  const accept = flag(params, 'accept') ?? false;
  const { media_id: id = '' } = params;
  const invite = find(world, 'picsMedia', id)?.collaborators?.find(
    ({ username }) => username === account.username,
  );
  if (invite === undefined) return missing(id, method);
  const status = accept ? 'Accepted' : 'Declined';
  if (invite.status === status) return { success: true };
  if (invite.status !== 'Pending') return invalid('The invite was answered already');
  invite.status = status;
  return succeed(world, 'invite_answer', id, account.id, { accept });
}

const invites = lists(inviteShape, ({ world }, { username }: Node<'picsAccount'>) =>
  listed(world, 'picsMedia', ({ collaborators = [] }) =>
    collaborators.some((one) => one.username === username && one.status === 'Pending'),
  ),
);
const collaborators = lists(collaboratorShape, (_, media: Node<'picsMedia'>) =>
  (media.collaborators ?? []).filter(({ status }) => status !== 'Declined'),
);
const basic = inPageMode(['basic']);

export const coAuthorRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'collaboration_invites', basic, invites),
  on('POST', 'picsAccount', 'collaboration_invites', basic, answer, 'accept! media_id!'),
  on('GET', 'picsMedia', 'collaborators', basic, collaborators),
];
