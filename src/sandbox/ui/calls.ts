import { toJson } from '../json.ts';
import type { RequestLog } from '../types.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';
import { shortened, timeOf } from './parts.ts';

const most = 50;

/** The last calls, newest first. */
export function callParts({ requests }: World): Html {
  const rows = requests.slice(-most).toReversed();
  return html`<table class="calls">
    <caption class="soft">
      ${requests.length === 0 ? 'No calls yet.' : `${requests.length} in all, the newest first.`}
    </caption>
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Call</th>
        <th scope="col">Status</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(rowOf)}
    </tbody>
  </table>`;
}

function rowOf(call: RequestLog): Html {
  const { method, path, at, status } = call;
  const state = status === undefined ? undefined : status < 400 ? 'good' : 'bad';
  return html`<tr>
    <td>${timeOf(at, 'seconds')}</td>
    <td>${method} ${path}<br /><span class="soft">${fieldsOf(call)}</span></td>
    <td class="${state}">${status ?? 'no response'}</td>
  </tr> `;
}

const secret = /token|secret|proof|^code$/;

/** What a call says, without what lets it in. */
function fieldsOf({ query, form, json }: RequestLog): string {
  const body = typeof json === 'object' && json !== null ? json : {};
  const fields = Object.entries({ ...query, ...form, ...body }).filter(([name]) => !secret.test(name));
  const texts = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : toJson(value)}`);
  return shortened(texts.join(' '), 200);
}

/** Changes whenever something that the start page shows does. */
export function versionOf({ requests, served, nodes, effects, happenings }: World): string {
  const running = requests.slice(-most).filter(({ status }) => status === undefined).length;
  return [served, running, nodes.size(), effects.length, happenings.length].join('.');
}
