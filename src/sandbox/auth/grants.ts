import { livePlatform } from '../../core/platform.ts';
import type { Call } from '../route.ts';
import { find, type Node, type Token, type World } from '../world.ts';
import { outlivesDataAccess, targetKind, withCompanions } from './scopes.ts';

const basic = `${livePlatform.words.picsScopePrefix}basic`;

/** The tasks that a person can have on a Page. */
const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'] as const;
export type Task = (typeof allTasks)[number];

/** The tasks of people who moderate a Page or write on it. */
export const editing: readonly Task[] = ['CREATE_CONTENT', 'MANAGE', 'MODERATE'];

/** The tasks of the person behind a token on a Page. */
export function tasksOn(token: Token, page: Node): readonly string[] {
  if (!page.owners.includes(token.userId)) return [];
  const { tasks = allTasks } = token;
  const plain = tasks.map((task) => task.replace(/^PROFILE_PLUS_/, ''));
  return plain.includes('FULL_CONTROL') ? allTasks : plain;
}

/** Whether the person has one of these tasks. Only Page tokens are limited by tasks. */
export function mayDo({ world, token }: Pick<Call, 'world' | 'token'>, wanted: readonly Task[]): boolean {
  const page = token.kind === 'page' ? find(world, 'page', token.subjectId) : undefined;
  if (page === undefined || wanted.length === 0) return true;
  const tasks = tasksOn(token, page);
  return wanted.some((task) => tasks.includes(task));
}

/** The first of these permissions that a token lacks, for its Page and its account, or for the account of a node. */
export function lackingScope(
  { world, token }: Pick<Call, 'world' | 'token'>,
  needed: readonly string[],
  node?: Node,
): string | undefined {
  const pageId =
    token.kind === 'page'
      ? token.subjectId
      : node?.owners.map((id) => find(world, 'picsAccount', id)?.pageId).find((id) => id !== undefined);
  return withCompanions(needed).find((scope) => !isGranted(world, token, scope, pageId));
}

function isGranted(world: World, token: Token, scope: string, pageId: string | undefined): boolean {
  // Permission to manage ads includes permission to read them.
  const isKnown =
    token.scopes.includes(scope) || (scope === 'ads_read' && token.scopes.includes('ads_management'));
  if (!isKnown) return false;
  if (token.kind === 'pics') return true;
  if (world.now() >= token.dataAccessEndsAt && !outlivesDataAccess(scope)) return false;
  return pageId === undefined || isGrantedFor(world, token, scope, pageId);
}

/** Whether a permission holds for a Page, or for its account. */
export function isGrantedFor(world: World, token: Token, scope: string, pageId: string): boolean {
  const ids = token.targets.get(scope);
  const kind = targetKind(scope);
  if (ids === undefined || kind === undefined) return true;
  const id = kind === 'page' ? pageId : find(world, 'page', pageId)?.picsId;
  return id !== undefined && ids.includes(id);
}

/** The account that is linked to a Page, unless the token does not cover it: it was not ticked in the dialog. */
export function linkedTo(world: World, token: Token, pageId: string): string | undefined {
  const seen = world.tuning.pics.linked && isGrantedFor(world, token, basic, pageId);
  return seen ? find(world, 'page', pageId)?.picsId : undefined;
}
