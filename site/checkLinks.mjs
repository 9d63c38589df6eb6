import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The links of a built site that lead nowhere within it: to no file, or to no such place in its page. */
export function checkLinks(folder, base) {
  const pages = globSync('**/*.html', { cwd: folder });
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const places = new Map([...texts].map(([page, text]) => [page, new Set(valuesOf(text, 'id'))]));
  const dead = [];
  let checked = 0;
  for (const [page, text] of texts) {
    const from = new URL(page, `http://site.invalid${base}`);
    for (const link of new Set([...valuesOf(text, 'href'), ...valuesOf(text, 'src')])) {
      const to = new URL(link, from);
      if (to.origin !== from.origin) continue;
      checked += 1;
      if (!leads(to)) dead.push(`${page}: ${link}`);
    }
  }
  return { dead, checked };

  function leads({ pathname, hash }) {
    if (!pathname.startsWith(base)) return false;
    const path = decodeURIComponent(pathname.slice(base.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(join(folder, file)) || statSync(join(folder, file)).isDirectory()) return false;
    return hash === '' || !file.endsWith('.html') || places.get(file)?.has(decodeURIComponent(hash.slice(1)));
  }
}

function valuesOf(text, attribute) {
  return [...text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
    value.replaceAll('&amp;', '&'),
  );
}
