import * as v from 'valibot';
import { expect, test } from 'vitest';

import { mediaWithSchema, postWith, videoWith } from '../../src/models/inside.ts';
import { metricsSchema, videoMetricsSchema } from '../../src/models/insights.ts';

/** Metrics as the platform sends them, one of which is named as what an object inherits from; that twice. */
const sent = `{"data":[${['reach', '__proto__', 'likes', '__proto__', 'constructor']
  .map((name, at) => `{"name":"${name}","period":"lifetime","values":[{"value":${at}}]}`)
  .join()}]}`;

test.each([
  ['media', mediaWithSchema, 'insights', metricsSchema],
  ['posts', postWith({ totals: false, comments: false, shares: false }), 'insights', metricsSchema],
  ['videos', videoWith({ totals: false }), 'video_insights', videoMetricsSchema],
] as const)('the metrics of %s in a list are those of one read alone', (_, schema, member, ofOne) => {
  const entry: unknown = JSON.parse(`{"id":"1","${member}":${sent}}`);

  const { insights } = v.parse(schema as v.GenericSchema<unknown, { insights?: object }>, entry);

  expect(Object.entries(insights ?? {})).toEqual([
    ['reach', 0],
    ['__proto__', 3],
    ['likes', 2],
    ['constructor', 4],
  ]);
  expect(Object.getPrototypeOf(insights)).toBe(Object.prototype);
  const alone: unknown = v.parse(ofOne, JSON.parse(sent));
  expect(Object.entries(alone as object)).toEqual(Object.entries(insights ?? {}));
});
