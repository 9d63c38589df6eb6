import { accountParts } from './accountParts.ts';
import { callParts, versionOf } from './calls.ts';
import { html } from './html.ts';
import { pageParts } from './pageParts.ts';
import { page, type Ui } from './pages.ts';
import { webhookParts } from './webhookParts.ts';

/** The start page. */
export function startPage(ui: Ui): Response {
  const { world } = ui;
  const body = html`<header>
      <h1>pagepics sandbox</h1>
      <p>
        Both platforms, emulated in memory at <code>${ui.url}</code>. It forgets everything when it stops.
        Times are in UTC.
      </p>
      <nav aria-label="Parts of this page">
        <p>
          <a href="#env">Ids and tokens</a> · <a href="#pages">Pages</a> ·
          <a href="#accounts">Photo-sharing accounts</a> · <a href="#webhooks">Webhooks</a> ·
          <a href="#calls">Calls</a>
        </p>
      </nav>
    </header>
    <main data-version="${versionOf(world)}">
      ${ui.notice === undefined ? undefined : html`<p class="notice" role="status">${ui.notice}</p>`}
      <div class="columns">
        <div>
          <section aria-labelledby="env">
            <h2 id="env">Ids and tokens</h2>
            <p>For a <code>.env</code>. <button class="plain" data-copy="variables" hidden>Copy</button></p>
            <pre id="variables" tabindex="0" aria-label="Variables">${variables(ui)}</pre>
          </section>
          <section aria-labelledby="pages">
            <h2 id="pages">Pages</h2>
            ${pageParts(ui)}
          </section>
          <section aria-labelledby="accounts">
            <h2 id="accounts">Photo-sharing accounts</h2>
            ${accountParts(world)}
          </section>
        </div>
        <div class="beside">
          <section aria-labelledby="webhooks">
            <h2 id="webhooks">Webhooks</h2>
            ${webhookParts(ui)}
          </section>
          <section aria-labelledby="calls">
            <h2 id="calls">Calls</h2>
            <p class="soft" id="live" role="status">Reload the page to see new calls.</p>
            <div id="rows" data-live>${callParts(world)}</div>
          </section>
        </div>
      </div>
    </main>
    <script src="/ui/live.js"></script>`;
  return page('pagepics sandbox', body);
}

/** The variables that contexts are made from, a token of each kind, and the addresses. */
function variables({ sandbox, platform }: Ui): string {
  const { app, picsApp, user, pages, account } = sandbox;
  const all = {
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PAGE_CONFIG_ID: app.configId,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    USER_TOKEN: user.token,
    PAGE_ID: pages[0]?.id,
    PAGE_TOKEN: pages[0]?.token,
    PICS_ID: account.id,
    PICS_TOKEN: account.token,
    PAGEPICS_PLATFORM: `'${JSON.stringify({ ...platform, words: undefined })}'`,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
