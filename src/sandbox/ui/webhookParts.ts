import { isSubscribed, isTaken } from '../webhooks/deliver.ts';
import type { SandboxDelivery } from '../webhooks/types.ts';
import { html, type Html } from './html.ts';
import type { Ui } from './pages.ts';

/** What waits for delivery, and what became of the last one. */
export function webhookParts({ world, delivered, target }: Ui): Html {
  const ready = world.happenings.filter((one) => isSubscribed(world, one)).length;
  const others = world.happenings.length - ready;
  return html`<div id="waiting" data-live>
      <p>
        ${count(ready, 'event waits', 'events wait')} for
        delivery.${others === 0 ? undefined : ` ${count(others, 'more is', 'more are')} of a Page, account or field without a subscription, and will be dropped.`}
      </p>
    </div>
    <form class="line" method="post" action="/ui/deliver">
      <label
        >Address of your webhook, on this machine <input name="to" type="url" value="${target}" required
      /></label>
      <button>Deliver</button>
    </form>
    ${delivered === undefined ? undefined : resultOf(delivered, target)}`;
}

function resultOf(delivered: readonly SandboxDelivery[], target: string): Html {
  if (delivered.length === 0) return html`<p role="status">There was nothing to deliver.</p>`;
  return html`<div role="status">
    <p>Delivered to <code>${target}</code>:</p>
    <ul>
      ${delivered.map((one) => html`<li>${deliveryOf(one)}</li> `)}
    </ul>
  </div>`;
}

function deliveryOf({ body, signature, statuses }: SandboxDelivery): Html {
  const status = statuses.at(-1);
  const { object, entry } = JSON.parse(body) as {
    readonly object: string;
    readonly entry: readonly object[];
  };
  const said =
    status === undefined
      ? html`<strong class="bad">no response</strong>`
      : html`response <strong class="${isTaken(status) ? 'good' : 'bad'}">${status}</strong>`;
  const again = isTaken(status) ? undefined : ' The events wait for another delivery.';
  return html`${count(entry.length, 'event', 'events')} of <code>${object}</code>: ${said}.${again}
    <details>
      <summary>Show the request</summary>
      <pre tabindex="0">
X-Hub-Signature-256: ${signature}

${body}</pre>
    </details>`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
