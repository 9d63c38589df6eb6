// Responses as the platform sends them, for the benchmark and its server.

export const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
export const metrics = [
  'post_media_view',
  'post_total_media_view_unique',
  'post_clicks',
  'post_reactions_by_type_total',
];

const graphUrl = 'https://graph.test';

export const me = { success: true, id: '42_1', name: 'Mara Bell' };

/** A page of a list of posts: so many, from the one at `first`. Without `next`, it is the last page. */
export function posts(count: number, first = 0, next?: string) {
  return { data: Array.from({ length: count }, (_, at) => postAt(first + at)), paging: pagingTo(next) };
}

/**
 * The same with what belongs to them: counts, metrics with a description of nobody's interest, addresses of other ranges of
 * time, and five comments each.
 */
export function postsInside(count: number, first = 0, next?: string) {
  const data = Array.from({ length: count }, (_, at) => ({ ...postAt(first + at), ...partsOf(first + at) }));
  return { data, paging: pagingTo(next) };
}

function pagingTo(next?: string) {
  return { cursors: { before: 'QVFIUmx', after: 'QVFIUmy' }, ...(next && { next: `${graphUrl}/${next}` }) };
}

function idAt(at: number) {
  return `12200000000000001_${1_220_000_000_000 + at}`;
}

function postAt(at: number) {
  const id = idAt(at);
  return {
    id,
    message: `Open until nine. The ${at}th of many posts, with a text of the length that people write.`,
    created_time: '2026-11-27T09:00:00+0000',
    updated_time: '2026-11-27T09:00:00+0000',
    permalink_url: `https://social.test/12200000000000001/posts/${1_220_000_000_000 + at}`,
    status_type: 'mobile_status_update',
    is_published: true,
    is_hidden: false,
    from: { id: '12200000000000001', name: 'Harbour Coffee' },
    shares: { count: 3 },
  };
}

function partsOf(at: number) {
  const id = idAt(at);
  const address = `${graphUrl}/v26.0/${id}/insights?access_token=${token}&metric=${metrics.join(',')}&since=1&until=2`;
  const summary = { order: 'chronological', total_count: 12, can_comment: true };
  const comments = Array.from({ length: 5 }, (_, nth) => ({
    id: `${id}_${nth}`,
    message: 'Are you open on Sundays, too?',
    created_time: '2026-11-27T09:00:00+0000',
    from: { id: '122000000000017', name: 'Mara Lind' },
    like_count: 2,
    comment_count: 0,
    is_hidden: false,
    can_hide: true,
    can_remove: true,
    permalink_url: `https://social.test/${id}?comment_id=${nth}`,
  }));
  return {
    reactions: { data: [], summary: { total_count: 40 } },
    comments: { data: comments, paging: { cursors: { before: 'QVF1', after: 'QVF2' } }, summary },
    insights: {
      data: metrics.map((name) => ({
        name,
        period: 'lifetime',
        values: [{ value: name.endsWith('total') ? { like: 30, love: 10 } : 460 }],
        id: `${id}/insights/${name}/lifetime`,
      })),
      paging: { previous: address, next: address },
    },
  };
}
