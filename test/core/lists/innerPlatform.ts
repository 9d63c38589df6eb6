/**
 * A platform that answers lists with what belongs to their entries as its recordings do: each inner call is made for each
 * entry of the page, and one that is refused fails the page.
 */
export interface InnerWorld {
  readonly on: 'page' | 'pics';
  /** How many entries the list has. */
  readonly entries: number;
  /** The largest page that is not too much data, where anything is asked for within its entries. */
  readonly fits?: number;
  /** Whether too much data is noticed before anything else. */
  readonly isSizeFirst?: boolean;
  readonly dead?: readonly string[];
  /** Metrics that only the entries for which this is true have. */
  readonly lacking?: Readonly<Record<string, (at: number) => boolean>>;
  /** The first entry from before the conversion. */
  readonly convertedAt?: number;
  /** Stories with few viewers. */
  readonly unseen?: readonly number[];
  /** The rights that lack, as the text of the refusal names them. */
  readonly denied?: { readonly metrics?: string; readonly people?: string };
  /** Whether the right for what people wrote is looked at last. */
  readonly arePeopleLast?: boolean;
  /** Entries without numbers, which lack the member. */
  readonly without?: (at: number) => boolean;
  readonly comments?: (at: number) => number;
}

const names =
  'impressions reach replies saved likes comments shares total_interactions follows views reposts';

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly [name: string]: unknown;
}

export function innerPlatform(world: InnerWorld) {
  const requests: URL[] = [];
  let dead = 0;

  function refuse(status: number, error: Refusal): Response {
    return Response.json({ error: { type: 'OAuthException', ...error } }, { status });
  }

  function deadMetric(metrics: readonly string[]): Refusal | undefined {
    const index = metrics.findIndex((name) => world.dead?.includes(name));
    if (index < 0) return undefined;
    dead++;
    if (world.on === 'page') {
      const text = 'The value must be a valid insights metric';
      return { code: 100, message: dead % 2 === 1 ? `(#100) ${text}` : text };
    }
    const valid = [...new Set([...names.split(' '), ...metrics])].filter(
      (name) => !world.dead?.includes(name),
    );
    return {
      code: 100,
      message: `(#100) metric[${index}] must be one of the following values: ${valid.join(', ')}`,
    };
  }

  /** What the inner call of an entry is refused for. */
  function refusalOf(
    at: number,
    metrics: readonly string[],
    hasPeople: boolean,
  ): [number, Refusal] | undefined {
    const { denied = {}, lacking = {}, convertedAt = Infinity, unseen = [], arePeopleLast = false } = world;
    const isDenied = hasPeople && denied.people !== undefined;
    if (isDenied && !(arePeopleLast && metrics.length > 0))
      return [403, { code: 10, message: denied.people }];
    if (metrics.length === 0) return undefined;
    if (denied.metrics !== undefined) return [403, { code: 10, message: denied.metrics }];
    const gone = deadMetric(metrics);
    if (gone) return [400, gone];
    const strange = metrics.filter((name) => lacking[name]?.(at) === false);
    if (strange.length > 0) {
      const message =
        world.on === 'page'
          ? '(#100) The value must be a valid insights metric'
          : `(#100) The Media Insights API does not support the ${strange[0]} metric for this media product type.`;
      return [400, { code: 100, message }];
    }
    if (at >= convertedAt) {
      const error_user_title = 'Media posted before business account conversion';
      const error_data = { blame_field_specs: [['']] };
      return [
        400,
        { code: 100, error_subcode: 2_108_006, message: 'Invalid parameter', error_data, error_user_title },
      ];
    }
    if (unseen.includes(at)) {
      return [400, { code: 10, message: '(#10) Not enough viewers for the media to show insights' }];
    }
    if (isDenied) return [403, { code: 10, message: denied.people }];
    return undefined;
  }

  async function respond(input: string | URL | Request): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    requests.push(url);
    const { searchParams } = url;
    const fields = searchParams.get('fields') ?? '';
    const limit = Number(searchParams.get('limit') ?? 25);
    const from = Number(searchParams.get('after') ?? 0);
    const to = Math.min(from + limit, world.entries);
    const places = Array.from({ length: to - from }, (_, at) => from + at);
    const metrics = /insights\.metric\(([^)]*)\)/.exec(fields)?.[1]?.split(',') ?? [];
    const commentsAsked = Number(/(?<![a-z_])comments\.limit\((\d+)\)/.exec(fields)?.[1] ?? 0);
    const hasTotals = fields.includes('reactions.limit(0)');
    const hasPeople = hasTotals || commentsAsked > 0;
    const isTooMuch = limit > (world.fits ?? Infinity) && (metrics.length > 0 || hasPeople);
    const message = "Please reduce the amount of data you're asking for, then retry your request";
    const tooMuch = () => refuse(500, { code: 1, message });
    if (isTooMuch && world.isSizeFirst) return tooMuch();
    for (const at of places) {
      const refusal = refusalOf(at, metrics, hasPeople);
      if (refusal) return refuse(...refusal);
    }
    if (isTooMuch) return tooMuch();
    const token = searchParams.get('access_token') ?? '';
    const data = places.map((at) => {
      const id = `${1000 + at}`;
      const address = `https://graph.test/v26.0/${id}/insights?access_token=${token}&since=1&until=2`;
      const has = metrics.length > 0 && world.without?.(at) !== true;
      const all = world.comments?.(at) ?? 0;
      const listed = Array.from({ length: Math.min(all, commentsAsked) }, (_, nth) => ({
        id: `${id}_${nth}`,
        text: 'a',
        message: 'a',
      }));
      const next = `https://graph.test/v26.0/${id}/comments?access_token=${token}&after=a`;
      const summary = { total_count: all };
      const isCounted =
        fields.includes('comments.limit(0).summary') || /comments\.limit\(\d+\)[^{]*summary/.test(fields);
      return {
        id,
        comments_count: all,
        ...(has && {
          insights: {
            data: metrics.map((name) => ({
              name,
              period: 'lifetime',
              values: [{ value: at + 1 }],
              id: `${id}/insights/${name}/lifetime`,
            })),
            paging: { previous: address, next: address },
          },
        }),
        ...(hasTotals && { reactions: { data: [], summary } }),
        ...((listed.length > 0 || isCounted) && {
          comments: {
            data: listed,
            ...(listed.length < all && listed.length > 0 && { paging: { cursors: { after: 'a' }, next } }),
            ...(isCounted && { summary }),
          },
        }),
      };
    });
    const next = new URL(url);
    next.searchParams.set('after', `${to}`);
    next.searchParams.delete('appsecret_proof');
    const cursors = { before: `${from}`, after: `${to}` };
    return Response.json({ data, paging: { cursors, ...(to < world.entries && { next: `${next}` }) } });
  }

  return { requests, fetch: respond };
}
