// Reads the newest 200 posts of a Page and 200 media of its account with their numbers, in 8 requests, and writes them into one
// page with a chart.
//
//   node --env-file=.env dashboard.ts [dashboard.html]
import { writeFile } from 'node:fs/promises';

import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, type Withheld } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const [file = 'dashboard.html'] = process.argv.slice(2);
let requests = 0;
const onResponse = (): void => {
  requests++;
};

/** A post or a media. What the platform did not give is `undefined`, and not 0. */
interface Row {
  readonly day: string;
  readonly title: string;
  readonly link: string;
  readonly views: number | undefined;
  readonly reactions: number | undefined;
  readonly comments: number | undefined;
}

const newest = { limit: 200, metrics: true } as const;
const page = createPageClientFromEnv({ onResponse });
const posts = await page.posts({ pageId, pageToken, totals: true, ...newest });
const pics = createPicsClientViaPagesFromEnv({ onResponse });
const media = await pics.media({ token: pageToken, picsUserId, ...newest });

const ofPage = posts.map(({ message = '', created_time = '', permalink_url = '', totals, insights }): Row => {
  const views = insights?.['post_media_view'];
  return {
    day: created_time.slice(0, 10),
    title: message,
    link: permalink_url,
    views: typeof views === 'number' ? views : undefined,
    reactions: totals?.reactions,
    comments: totals?.comments,
  };
});
const ofAccount = media.map(({ caption = '', timestamp = '', permalink = '', insights }): Row => {
  return {
    day: timestamp.slice(0, 10),
    title: caption,
    link: permalink,
    views: insights?.['views'],
    reactions: insights?.['likes'],
    comments: insights?.['comments'],
  };
});

const sections = [section('Page', ofPage, posts.withheld), section('Account', ofAccount, media.withheld)];
await writeFile(
  file,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Numbers</title>
<style>body { font: 14px system-ui; margin: 2rem } td, th { padding: 0 1rem 0 0; text-align: left }</style>
${sections.join('\n')}</html>
`,
);
console.log(`${posts.length} posts and ${media.length} media in ${requests} requests: ${file}`);
for (const { reason } of [...posts.withheld, ...media.withheld]) console.log(`not read: ${reason}`);

function section(name: string, rows: readonly Row[], withheld: readonly Withheld[]): string {
  const most = Math.max(1, ...rows.map(({ views = 0 }) => views));
  const bars = rows.map(({ views = 0, title }, at) => {
    const height = (100 * views) / most;
    const label = `<title>${escaped(title)}</title>`;
    return `<rect x="${at * 5}" y="${100 - height}" width="4" height="${height}">${label}</rect>`;
  });
  const lines = rows.map(({ day, title, link, views, reactions, comments }) => {
    const numbers = [views, reactions, comments].map((number) => `<td>${number ?? '–'}`);
    return `<tr><td>${day}<td><a href="${escaped(link)}">${escaped(title.slice(0, 60))}</a>${numbers.join('')}`;
  });
  const notes = withheld.map(({ metrics = [], reason }) => {
    return `<p>Not read: ${escaped(`${metrics.join(', ')} ${reason}`)}</p>`;
  });
  return `<h1>${name}</h1>${notes.join('')}
<svg viewBox="0 0 ${Math.max(1, rows.length) * 5} 100" width="100%" height="120">${bars.join('')}</svg>
<table><tr><th>Day<th>Text<th>Views<th>Reactions<th>Comments
${lines.join('\n')}</table>`;
}

/** Texts come from people: none becomes part of the page's code. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
