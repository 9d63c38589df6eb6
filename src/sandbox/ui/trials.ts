import { isPublic, isScheduled } from '../effects.ts';
import { html, type Html } from '../http.ts';
import type { FaultRule, RequestLog } from '../types.ts';
import { page, type Ui } from './html.ts';
import { callTable, shortened, versionOf } from './start.ts';

/** Something that goes wrong between an app and the platform. */
interface Fault {
  readonly title: string;
  readonly what: string;
  /** What a naive app does. */
  readonly wrong: string;
  /** What a naive app would have done, said of a text that was published once. */
  readonly otherwise: string;
  readonly rule: (ui: Ui) => FaultRule;
  /** Milliseconds until lists show what is new. */
  readonly lagMs?: number;
}

const publishing =
  /\/(?:feed|photos|videos|video_reels|photo_stories|video_stories|media_publish|comments|replies|messages)$/;
const lost: FaultRule = { method: 'POST', path: publishing, when: 'after', drop: true };

const faults: Readonly<Record<string, Fault>> = {
  lost: {
    title: 'Lost response',
    what: 'The next publishing request takes effect, and its connection is lost before the response.',
    wrong: 'An app that sends it again publishes twice.',
    otherwise: 'An app that sends again after a lost response would have published it twice.',
    rule: () => lost,
  },
  late: {
    title: 'Lost response, slow list',
    what: 'The same, and for 3 seconds no list shows what was published.',
    wrong: 'An app that looks once, and sends it again since it sees nothing, publishes twice.',
    otherwise: 'An app that sends again since no list shows it would have published it twice.',
    rule: () => lost,
    lagMs: 3000,
  },
  unreadable: {
    title: 'Reads refused with 100/33',
    what: 'Whatever is read by its id “does not exist”, except Pages, accounts and people.',
    wrong: 'An app that takes this for “not published”, and publishes again, publishes twice.',
    otherwise: 'An app that publishes again since it cannot be read would have published it twice.',
    rule: unreadable,
  },
  throttled: {
    title: 'Throttled',
    what: 'The next publishing request is refused: there were too many calls to the Page. The next one is let through.',
    wrong: 'An app that gives up publishes nothing; one that repeats at once prolongs the block.',
    otherwise: 'An app that gives up would not have published it.',
    rule: () => ({
      method: 'POST',
      path: publishing,
      error: { code: 32, message: '(#32) Page request limit reached' },
    }),
  },
};

function unreadable({ world }: Ui): FaultRule {
  const known = (['page', 'picsAccount', 'user'] as const).flatMap((kind) =>
    [...world.nodes.ofKind(kind)].map((node) =>
      node.kind === 'picsAccount' ? `${node.id}|${node.scopedId}` : node.id,
    ),
  );
  const message =
    'Unsupported get request. The object does not exist, cannot be loaded due to missing permissions, or does not support this operation.';
  return {
    method: 'GET',
    path: new RegExp(`^/(?!(?:${known.join('|')})$)\\d+(?:_\\d+)?$`),
    times: Infinity,
    error: { code: 100, error_subcode: 33, message },
  };
}

/** A fault in place, and how many requests and effects there were when it began. */
export interface Trial {
  readonly name: string;
  readonly served: number;
  readonly effects: number;
  readonly end: () => void;
}

/** Begins a trial, and ends the previous one. */
export function beginTrial(ui: Ui, name: string): void {
  const fault = Object.hasOwn(faults, name) ? faults[name] : undefined;
  if (fault === undefined) throw new Error(`There is no such fault: ${Object.keys(faults).join(', ')}`);
  endTrial(ui);
  const { world, sandbox } = ui;
  const { lagMs } = world.tuning.lists;
  const remove = sandbox.fault(fault.rule(ui));
  if (fault.lagMs !== undefined) sandbox.tune({ lists: { lagMs: fault.lagMs } });
  ui.trial = {
    name,
    served: world.served,
    effects: world.effects.length,
    end: () => {
      remove();
      sandbox.tune({ lists: { lagMs } });
    },
  };
}

export function endTrial(ui: Ui): void {
  ui.trial?.end();
  ui.trial = undefined;
}

/** The page on which a person chooses what goes wrong, and watches an app meet it. */
export function trialPage(ui: Ui): Response {
  const { world, trial } = ui;
  const body = html`<header>
      <p><a href="/">pagepics sandbox</a></p>
      <h1>What would have gone wrong</h1>
      <p>
        Choose what goes wrong, then let your app publish at <code>${ui.url}</code>. Here is what it does, and
        what became of it.
      </p>
    </header>
    <main data-version="${versionOf(world)}">
      <form method="post" action="/ui/begin">
        <div class="choices" role="group" aria-label="What goes wrong">
          ${Object.entries(faults).map(([name, fault]) => choice(name, fault, trial?.name === name))}
        </div>
      </form>
      <p class="soft" id="live" role="status">Reload the page to see what happened.</p>
      <div id="trial" data-live>${trial === undefined ? undefined : trialPart(ui, trial)}</div>
      ${trial === undefined ? undefined : naiveApp(ui)}
    </main>
    <script src="/ui/live.js"></script>`;
  return page('What would have gone wrong', body);
}

function choice(name: string, { title, what, wrong }: Fault, chosen: boolean): Html {
  return html`<section class="choice ${chosen ? 'chosen' : ''}">
    <h2>${title}</h2>
    <p>${what}</p>
    <p class="soft">${wrong}</p>
    <button name="fault" value="${name}" ${chosen ? html`class="plain"` : undefined}>
      ${chosen ? 'Begin again' : 'Begin'}<span class="hidden">: ${title}</span>
    </button>
  </section> `;
}

function trialPart(ui: Ui, trial: Trial): Html {
  const { world } = ui;
  const { requests, served } = world;
  const calls = requests.slice(Math.max(0, requests.length - (served - trial.served)));
  const title = faults[trial.name]?.title ?? '';
  return html`<h2>${title}: what your app did</h2>
    ${verdict(ui, trial, calls)}
    ${calls.length === 0 ? undefined : callTable(calls, 'Since it began, the newest first.')}
    <form method="post" action="/ui/end"><button class="plain">End it</button></form>`;
}

/** What was published since, and what would have been. */
function verdict({ world }: Ui, { name, effects }: Trial, calls: readonly RequestLog[]): Html {
  const published = new Map<string, { readonly text: string; count: number }>();
  for (const effect of world.effects.slice(effects)) {
    if (!isPublic(effect) && !isScheduled(effect)) continue;
    const { kind, parentId, content } = effect;
    const text = textOf(content) ?? kind.replaceAll('_', ' ');
    const key = [kind, parentId, text].join('\n');
    const one = published.get(key) ?? { text: shortened(text), count: 0 };
    one.count += 1;
    published.set(key, one);
  }
  const met = calls.some(({ faulted }) => faulted);
  const otherwise = met ? faults[name]?.otherwise : undefined;
  const none = met ? html`<p><strong>Nothing was published</strong> so far.</p>` : undefined;
  return html`<div class="notice">
    ${met ? undefined : html`<p>No request has met it yet.</p>`}
    ${published.size === 0 ? none : [...published.values()].map((one) => outcome(one, otherwise))}
  </div>`;
}

function outcome(
  { text, count }: { readonly text: string; readonly count: number },
  otherwise: string | undefined,
): Html {
  return count > 1
    ? html`<p><strong class="bad">Published ${count} times:</strong> “${text}”</p>`
    : html`<p><strong class="good">Published once:</strong> “${text}” ${otherwise}</p>`;
}

function textOf(content: Readonly<Record<string, unknown>>): string | undefined {
  const { message, caption, text, title, description } = content;
  return [message, caption, text, title, description].find((one) => typeof one === 'string');
}

/** An app for somebody who has none at hand: it sends again whenever there is no response. */
function naiveApp({ sandbox, platform }: Ui): Html {
  const [first] = sandbox.pages;
  if (first === undefined) return html``;
  const command = `curl --retry 2 --retry-delay 1 --retry-all-errors ${platform.graphUrl}/v26.0/${first.id}/feed -d 'message=Open until nine.' -d access_token=${first.token}`;
  return html`<h2>No app at hand?</h2>
    <p>This is one that sends again whenever something fails, as many do:</p>
    <pre id="naive" tabindex="0" aria-label="A command">${command}</pre>
    <p><button class="plain" data-copy="naive" hidden>Copy</button></p>
    <p>
      And one that uses the SDK: <code>npx pagepics example quickstart</code> loses a response on its own.
    </p>`;
}
