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
