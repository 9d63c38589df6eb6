import { requirements } from '../../src/connections/index.ts';
import type { Requirement } from '../../src/connections/requirements.ts';
import { livePlatform } from '../../src/core/platform.ts';

/** What the doc comment of a function says that it needs; `undefined` for one that needs nothing. */
export function sentenceFor(platform: 'page' | 'pics', name: string): string | undefined {
  if (platform === 'page') return sentence(requirements.page[name]);
  const login = requirements['pics-login'][name];
  const viaPages = requirements['pics-pages'][name];
  if (login === undefined || viaPages === undefined) return sentence(login ?? viaPages);
  if (login.permissions.length === 0) return undefined;
  return `Permissions in login mode: ${listed(login)}; in page mode: ${listed(viaPages)}.`;
}

function sentence(row: Requirement | undefined): string | undefined {
  if (row === undefined || row.permissions.length === 0) return undefined;
  const tasks = [row.task ?? []].flat().map((task) => `\`${task}\``);
  const task = tasks.length === 0 ? '' : `; Page task ${tasks.join(', ').replace(/, (?!.*, )/, ' or ')}`;
  return `Permission${row.permissions.length === 1 ? '' : 's'}: ${listed(row)}${task}.`;
}

/** In the words that doc comments have for the platform's own. */
function listed({ permissions }: Requirement): string {
  return permissions
    .map((name) => `\`${name.replace(livePlatform.words.picsScopePrefix, 'pics_')}\``)
    .join(', ');
}
