// The page of the example `check-in-a-browser`, which any bundler takes: checks the files of an input, shows them, and
// draws what the platform shows of them.
import {
  inspectMedia,
  judgeCarousel,
  judgeMedia,
  type MediaFacts,
  type MediaFinding,
  type MediaKind,
} from 'pagepics/media';

const carousel = 'a carousel';
/** What people choose from, and what that is for pictures and for videos. */
const choices = new Map<string, { readonly image: MediaKind; readonly video: MediaKind }>([
  ['a Reel', { image: 'pics.reel', video: 'pics.reel' }],
  ['a picture', { image: 'pics.image', video: 'pics.image' }],
  [carousel, { image: 'pics.carouselImage', video: 'pics.carouselVideo' }],
  ['a story', { image: 'pics.storyImage', video: 'pics.storyVideo' }],
  ['a photo or video of a Page', { image: 'page.photo', video: 'page.video' }],
  ['a Reel of a Page', { image: 'page.reel', video: 'page.reel' }],
]);
const severities = { refused: 'Refused', changed: 'Changed', risk: 'Risk', unknown: 'Not known' };

const as = element('#as', HTMLSelectElement);
const input = element('#files', HTMLInputElement);
const main = element('main', HTMLElement);
let running = new AbortController();
let shownUrls: string[] = [];

as.append(...[...choices.keys()].map((name) => new Option(name)));
for (const each of [as, input]) each.addEventListener('change', () => void check());

/** Checks what is chosen. Who chooses again meanwhile sees only what was chosen last. */
async function check(): Promise<void> {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const { image, video } = choices.get(as.value) ?? { image: 'pics.image', video: 'pics.reel' };
  const files = [...(input.files ?? [])];
  const read = await Promise.all(files.map((file) => inspectMedia(file, { signal })));
  if (signal.aborted) return;

  const known = read.flatMap((facts) => (facts.isOk() ? [facts.value] : []));
  // Items are judged by the first and by how many there are, so all must be known.
  const ofSet = as.value === carousel && known.length === files.length ? judgeCarousel(known) : [];
  for (const url of shownUrls) URL.revokeObjectURL(url);
  shownUrls = [];
  main.replaceChildren(
    list(ofSet.filter(({ item }) => item === undefined)),
    ...read.map((result, index) => {
      const article = document.createElement('article');
      article.append(textIn('h2', files[index]?.name ?? ''));
      if (result.isErr()) {
        article.append(textIn('p', result.error.message));
        return article;
      }
      const facts = result.value;
      const findings = [
        ...judgeMedia(facts, facts.kind === 'video' ? video : image),
        ...ofSet.filter(({ item }) => item === index),
      ];
      article.append(
        picture(facts, files[index] ?? new Blob(), findings),
        findings.length > 0 ? list(findings) : textIn('p', 'Nothing is known that refuses or changes it.'),
      );
      return article;
    }),
  );
}

/** The picture, or the first frame of the video, with what the platform shows of it. */
function picture(facts: MediaFacts, file: Blob, findings: readonly MediaFinding[]): HTMLElement {
  const url = URL.createObjectURL(file);
  shownUrls.push(url);
  const shown =
    facts.kind === 'video'
      ? // Some browsers show no frame before they are sent to one.
        Object.assign(document.createElement('video'), {
          muted: true,
          playsInline: true,
          src: `${url}#t=0.001`,
        })
      : Object.assign(document.createElement('img'), { alt: 'This browser cannot show it.', src: url });
  const box = document.createElement('div');
  box.className = 'picture';
  box.append(shown);
  const { width, height } = facts;
  if (width === undefined || height === undefined) return box;
  // Also where the browser cannot show the file, such as a HEIC.
  box.style.aspectRatio = `${width} / ${height}`;
  const ratio = shownRatio(findings);
  if (ratio !== undefined) box.append(frame(width / height, ratio));
  return box;
}

/** The ratio that a picture is cropped to, if it is: a finding asks for `9:16`, or for `1080 × 1350, as the first`. */
function shownRatio(findings: readonly MediaFinding[]): number | undefined {
  const crop = findings.find(
    ({ property, severity }) => property === 'aspect_ratio' && severity === 'changed',
  );
  const [, width, height] = /^(\d+)(?::| × )(\d+)/.exec(crop?.rule ?? '') ?? [];
  return width === undefined ? undefined : Number(width) / Number(height);
}

/** The middle of a picture that has another ratio. */
function frame(ratio: number, to: number): HTMLElement {
  const [width, height] = ratio > to ? [to / ratio, 1] : [1, ratio / to];
  const shown = document.createElement('div');
  shown.className = 'shown';
  shown.title = 'What the platform shows';
  shown.style.inset = `${(50 * (1 - height)).toFixed(3)}% ${(50 * (1 - width)).toFixed(3)}%`;
  return shown;
}

function list(findings: readonly MediaFinding[]): HTMLElement {
  const all = document.createElement('ul');
  for (const { severity, message, remedy } of findings) {
    const one = textIn('li', `${severities[severity]}: ${message}`);
    if (remedy !== undefined) one.append(textIn('p', `What mends it: ${remedy}`));
    all.append(one);
  }
  return all;
}

/** As text, never as HTML: names of files are what people make them. */
function textIn(tag: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text });
}

function element<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${selector}`);
}
