import { livePlatform, type Platform } from '../../core/platform.ts';
import type { Sandbox } from '../types.ts';

/** The part of MSW that `sandboxHandlers` uses: `http`, of version 2. */
export interface HandlerMaker<Handler> {
  readonly all: (
    predicate: RegExp,
    resolver: (info: { readonly request: Request }) => Promise<Response>,
  ) => Handler;
}

export interface HandlerOptions {
  /** Addresses at which the sandbox responds, besides its own. @default those of the live platform */
  readonly platform?: Platform | undefined;
}

/**
 * Request handlers for MSW's `setupServer` and `setupWorker`: the sandbox then responds to requests for the live
 * platform, whichever client sends them, and to those for its own addresses. A lost connection is a network error.
 *
 * @example
 * const server = setupServer(...sandboxHandlers(sandbox, http));
 */
export function sandboxHandlers<Handler>(
  sandbox: Sandbox,
  http: HandlerMaker<Handler>,
  { platform = livePlatform }: HandlerOptions = {},
): Handler[] {
  const platforms = [platform, sandbox.platform];
  const handlers = platforms.flatMap((one) => {
    const respond = sandbox.serveAt(one);
    return addressesOf(one).map((address) => http.all(address, ({ request }) => settled(respond(request))));
  });
  const files = http.all(/^https:\/\/cdn\.sandbox\.test\//, async ({ request }) => fileAt(request.url));
  return [...handlers, files];
}

/** The addresses that requests go to, as MSW matches them: without their queries. */
function addressesOf(platform: Platform): RegExp[] {
  const { graphUrl, picsGraphUrl, uploadUrl, picsAuthUrl, picsTokenUrl, dialogUrl } = platform;
  const hosts = [graphUrl, picsGraphUrl, uploadUrl].map((address) => `${escaped(address)}(?:/.*)?`);
  const pages = [picsAuthUrl, picsTokenUrl].map((address) => `${escaped(address)}/?`);
  return [...hosts, ...pages, `${escaped(dialogUrl)}/(?:[^/]+/)?dialog/oauth/?`].map(
    (pattern) => new RegExp(`^${pattern}$`),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** MSW turns an error in a resolver into a response with status 500, but this one into a network error. */
async function settled(response: Promise<Response>): Promise<Response> {
  return response.catch(() => Response.error());
}

/** The file at the address of a picture or a video: a grey pixel, or a video without frames. */
function fileAt(address: string): Response {
  const isMovie = /\.(?:mp4|m4a)$/.test(new URL(address).pathname);
  const [bytes, type] = isMovie ? [movie, 'video/mp4'] : [pixel, 'image/jpeg'];
  return new Response(Uint8Array.from(bytes()), { headers: { 'content-type': type } });
}

/** The fewest bytes that look like a movie. */
function movie(): number[] {
  const text = 'ftypisom\0\0\x02\0isommp41';
  return [0, 0, 0, 4 + text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
}

/** A JPEG of one pixel, by its segments. */
function pixel(): number[] {
  const quantization = Array<number>(64).fill(1);
  const counts = [1, ...Array<number>(15).fill(0)];
  const codes = (table: number): number[] => [0xff, 0xc4, 0, 20, table, ...counts, 0];
  return [
    [0xff, 0xd8],
    [0xff, 0xdb, 0, 67, 0, ...quantization],
    [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
    codes(0),
    codes(0x10),
    [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x3f],
    [0xff, 0xd9],
  ].flat();
}
