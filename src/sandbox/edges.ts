import * as page from './page/knownNames.ts';
import { loginMode } from './pics/access.ts';
import * as pics from './pics/knownNames.ts';
import type { Call } from './route.ts';
import type { Node, NodeKind } from './world.ts';

const ofPages: Partial<Readonly<Record<NodeKind, readonly string[]>>> = {
  user: page.userEdges,
  page: page.pageEdges,
  post: page.postEdges,
  photo: page.photoEdges,
  video: page.videoEdges,
  comment: page.commentEdges,
  ad: page.adEdges,
  form: page.formEdges,
};

/** The edges that the platform has below a node, those that the sandbox lacks too. */
export function edgesOf(call: Call, { kind }: Node): readonly string[] {
  if (kind === 'picsAccount') {
    // Login mode refuses stories, although its specification lists them.
    const login = pics.loginAccountEdges.filter((edge) => edge !== 'stories');
    return loginMode(call) ? login : pics.pageAccountEdges;
  }
  if (kind === 'picsMedia') return loginMode(call) ? pics.loginMediaEdges : pics.pageMediaEdges;
  return ofPages[kind] ?? [];
}
