import { invalid } from '../errors.ts';
import { names, oneOf } from '../page/values.ts';
import type { Call } from '../route.ts';

export const audienceMetrics: readonly string[] = [
  'engaged_audience_demographics',
  'follower_demographics',
  'reached_audience_demographics',
];

type Shares = Readonly<Record<string, number>>;

/** Shares of the audience, which add up to 1. */
const cuts: Readonly<Record<string, Shares>> = {
  age: {
    '13-17': 0.03,
    '18-24': 0.21,
    '25-34': 0.34,
    '35-44': 0.22,
    '45-54': 0.12,
    '55-64': 0.05,
    '65+': 0.03,
  },
  gender: { F: 0.52, M: 0.41, U: 0.07 },
  city: { 'Lisbon, Lisbon District': 0.2, 'Z\u{fc}rich, Z\u{fc}rich': 0.15, 'Porto, Porto District': 0.1 },
  country: { PT: 0.55, CH: 0.25, DE: 0.2 },
};

const timeframes = ['last_14_days', 'last_30_days', 'last_90_days', 'prev_month', 'this_month', 'this_week'];

/** A demographic metric by its breakdowns. Empty for an account with fewer than 100 followers. */
export function audienceOf(call: Call, common: Readonly<Record<string, unknown>>): unknown[] {
  const { params, world } = call;
  const breakdowns = names(params['breakdown']);
  const timeframe = oneOf(params, 'timeframe', timeframes);
  if (params['period'] !== 'lifetime')
    return invalid(`Incompatible period (${params['period']}) for the metric (${String(common['name'])})`);
  if (params['metric_type'] !== 'total_value') return invalid('The metric needs metric_type=total_value');
  if (timeframe === undefined) return invalid('The parameter timeframe is required');
  if (common['name'] !== 'follower_demographics' && !timeframe.startsWith('this'))
    return invalid(`Incompatible timeframe (${timeframe})`);
  if (breakdowns.length === 0) return invalid('The parameter breakdown is required');
  const unknown = breakdowns.find((name) => !(name in cuts));
  if (unknown !== undefined) return invalid(`Incompatible breakdown (${unknown})`);
  const { followers } = world.tuning.pics;
  if (followers < 100) return [];
  const results = product(breakdowns)
    .map(([values, share]) => ({ dimension_values: values, value: Math.round(followers * share) }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, 45);
  return [{ ...common, total_value: { breakdowns: [{ dimension_keys: breakdowns, results }] } }];
}

function product(breakdowns: readonly string[]): (readonly [readonly string[], number])[] {
  return breakdowns.reduce<(readonly [readonly string[], number])[]>(
    (rows, name) =>
      rows.flatMap(([values, share]) =>
        Object.entries(cuts[name] ?? {}).map(([value, part]) => [[...values, value], share * part] as const),
      ),
    [[[], 1]],
  );
}
