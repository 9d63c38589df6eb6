/**
 * Asks each second whether something changed, and then takes over the parts of the page that did, except one in which
 * a person is typing.
 */
export const script = `
const main = document.querySelector('main');
const live = document.querySelector('#live');
let seen = main.dataset.version;

async function look() {
  if (!document.hidden) {
    try {
      const now = await (await fetch('/ui/version')).text();
      say('New calls appear here as they come in.');
      if (now !== seen) await renew();
    } catch {
      say('The sandbox does not respond: it may have been stopped.');
    }
  }
  setTimeout(look, 1000);
}

/** Only what changes is said again by a screen reader. */
function say(text) {
  if (live.textContent !== text) live.textContent = text;
}

async function renew() {
  const text = await (await fetch('/')).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  seen = fresh.querySelector('main').dataset.version;
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (next === null || part.innerHTML === next.innerHTML || inUse(part)) continue;
    part.replaceChildren(...next.childNodes);
  }
}

function inUse(part) {
  const changed = [...part.querySelectorAll('input')].some((input) => input.value !== input.defaultValue);
  return changed || (part !== document.activeElement && part.contains(document.activeElement));
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
  });
}

look();
`;

export const style = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --back: #fff; --box: #f6f8fa; --act: #0b57d0; --on-act: #fff; --good: #11632f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b3; --line: #3d444d; --back: #0d1117; --box: #161b22; --act: #8ab4f8; --on-act: #0d1117; --good: #7ee2a0; --bad: #ffa198; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem 1.5rem 3rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; } h3, h4 { font-size: 1rem; margin: 1rem 0 .25rem; } summary h3 { display: inline; }
a { color: var(--act); } p { margin: .25rem 0; } .soft { color: var(--soft); font-size: .875rem; }
code, pre, .calls td, .calls td .soft { font-family: ui-monospace, monospace; font-size: .8125rem; overflow-wrap: anywhere; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; max-height: 14rem; overflow: auto; white-space: pre-wrap; margin: .5rem 0; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
button, input, select { font: inherit; padding: .25rem .6rem; border: 1px solid var(--soft); border-radius: 6px; background: var(--back); color: inherit; }
button { background: var(--act); border-color: var(--act); color: var(--on-act); cursor: pointer; } button.plain { background: transparent; color: var(--act); }
form.line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .25rem 0 .5rem; } form.line label { display: grid; font-size: .8125rem; color: var(--soft); flex: 1 1 12rem; } form.line input { width: 100%; }
ul.entries { list-style: none; margin: 0; padding: 0; } ul.entries > li { border-top: 1px solid var(--line); padding: .5rem 0; } ul.entries ul { margin: .25rem 0; padding-left: 1.25rem; }
details.part { border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; margin: .5rem 0; } details.part > summary { cursor: pointer; }
.notice { border-left: 4px solid var(--act); background: var(--box); padding: .5rem .75rem; margin: .75rem 0; } .good { color: var(--good); } .bad { color: var(--bad); }
.columns { display: grid; gap: 0 2rem; } @media (min-width: 70rem) { .columns { grid-template-columns: 3fr 2fr; } .beside { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 0 4px; } }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-top: 1px solid var(--line); } th { font-size: .8125rem; color: var(--soft); } caption { text-align: left; } .calls td:first-child { white-space: nowrap; }
main.dialog { max-width: 30rem; margin: 3rem auto; border: 1px solid var(--line); border-radius: 8px; padding: 1.5rem; } main.dialog fieldset { border: 0; padding: 0; margin: 1rem 0; } main.dialog label { display: block; padding: .25rem 0; } main.dialog .choice { display: flex; gap: .75rem; }
`;

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#0b57d0"/></svg>';
