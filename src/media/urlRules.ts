import { fileRobot } from '../core/platform.ts';
import type { MediaFinding, MediaKind, MediaSeverity } from './types.ts';

/** What the platforms do with an address. `checkMediaUrl` applies this table, and docs/media.md shows it. */
export interface UrlRule {
  readonly severity: MediaSeverity;
  /** What is taken. */
  readonly rule: string;
  readonly source: string;
  /** Which refusal of the platform it leads to: that of a file that it cannot fetch, or of one that is not ready. */
  readonly refusal?: 'fetch' | 'ready';
  readonly note?: string;
  readonly remedy: string;
}

const guide = 'Content Publishing guide, 2026-10-04';
const errorCodes = 'Error Codes, 2026-06-02';
const reelsPage = 'Reels Publishing API, 2026-07';
const savingAssets = 'Messenger Platform, Saving assets, 2026-04-22';
const tools = 'observed by publishing tools, 2026';

const toPublic = 'put the file where everybody can fetch it, or upload its bytes';
const toLetIn = `a robots.txt that lets ${fileRobot} in`;
const toRobots = `allow ${fileRobot} in robots.txt, or upload the bytes`;

export const urlRules = {
  host: {
    severity: 'refused',
    rule: 'a public host',
    source: guide,
    refusal: 'fetch',
    note: 'it was not asked',
    remedy: toPublic,
  },
  ownHost: {
    severity: 'refused',
    rule: 'a host that is not one of the platform',
    source: reelsPage,
    refusal: 'fetch',
    note: 'it was not asked',
    remedy: toPublic,
  },
  scheme: {
    severity: 'risk',
    rule: 'https',
    source: tools,
    refusal: 'fetch',
    remedy: 'serve it over https',
  },
  status: {
    severity: 'refused',
    rule: 'status 200 or 206',
    source: guide,
    refusal: 'fetch',
    note: 'it may need a login, be gone, or its signature may have expired',
    remedy: toPublic,
  },
  notReady: {
    severity: 'risk',
    rule: 'a file that is ready at the first request',
    source: tools,
    refusal: 'ready',
    remedy: 'ask for it until it answers 200, and publish then',
  },
  redirect: {
    severity: 'risk',
    rule: 'no redirect',
    source: tools,
    refusal: 'fetch',
    note: 'it was not followed, and such addresses were refused',
    remedy: 'give the address that it leads to',
  },
  html: {
    severity: 'refused',
    rule: 'the file itself',
    source: guide,
    refusal: 'fetch',
    note: 'what cloud drives share is a page that shows the file',
    remedy: toPublic,
  },
  otherType: {
    severity: 'refused',
    rule: 'the type that the host announces',
    source: tools,
    refusal: 'fetch',
    remedy: 'serve it with the Content-Type of its bytes',
  },
  looseType: {
    severity: 'risk',
    rule: 'the Content-Type of the file, such as image/jpeg and video/mp4',
    source: tools,
    refusal: 'fetch',
    remedy: 'serve it with the Content-Type of its bytes',
  },
  audioType: {
    severity: 'refused',
    rule: 'a Content-Type that begins with audio/',
    source: savingAssets,
    refusal: 'fetch',
    remedy: 'serve it with a Content-Type such as audio/mp4',
  },
  robots: {
    severity: 'refused',
    rule: toLetIn,
    source: reelsPage,
    refusal: 'fetch',
    remedy: toRobots,
  },
  robotsOfAll: {
    severity: 'risk',
    rule: toLetIn,
    source: reelsPage,
    refusal: 'fetch',
    note: 'the rule is for all robots, and names none',
    remedy: toRobots,
  },
  robotsUnclear: {
    severity: 'risk',
    rule: 'a robots.txt that is text, or is not there',
    source: tools,
    refusal: 'ready',
    remedy: 'serve robots.txt as text, or let it answer 404',
  },
  noRanges: {
    severity: 'risk',
    rule: 'a host that answers Range with 206',
    source: tools,
    refusal: 'fetch',
    note: 'videos of some such hosts were refused',
    remedy: 'use a host that knows Range, or upload the bytes',
  },
  oddRange: {
    severity: 'risk',
    rule: 'the part of the file that was asked for',
    source: tools,
    refusal: 'fetch',
    remedy: 'use a host that knows Range, or upload the bytes',
  },
  noLength: {
    severity: 'risk',
    rule: 'a host that tells the size',
    source: tools,
    refusal: 'fetch',
    remedy: 'serve it with Content-Length',
  },
  empty: {
    severity: 'refused',
    rule: 'a file that is not empty',
    source: errorCodes,
    refusal: 'fetch',
    remedy: 'store the file again',
  },
} as const satisfies Readonly<Record<string, UrlRule>>;

/** What the platform answers where it cannot fetch a file, or where that is not ready. */
function codeOf(kind: MediaKind, refusal: 'fetch' | 'ready'): string | undefined {
  if (/\.message/.test(kind)) return '100/2018008';
  if (kind === 'page.video') return '389/1363057';
  if (kind.startsWith('page.photo')) return '100/1366046';
  if (kind.startsWith('page.')) return undefined;
  if (!/reel|video$/i.test(kind)) return '9004/2207052';
  return refusal === 'ready' ? '2207076' : '2207077';
}

/** A finding about an address. It never quotes the address, which may be signed. */
export function urlFinding(name: keyof typeof urlRules, found: string, kind: MediaKind): MediaFinding {
  const { severity, rule, source, refusal, note, remedy }: UrlRule = urlRules[name];
  const code = refusal && codeOf(kind, refusal);
  return {
    property: 'url',
    severity,
    found,
    rule,
    message: `url: ${found}, where ${rule} is ${severity === 'refused' ? 'taken' : 'asked for'}${note ? `; ${note}` : ''}`,
    remedy,
    ...(code ? { code } : {}),
    source,
  };
}
