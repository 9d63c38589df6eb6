#!/usr/bin/env bash
# @opentelemetry/instrumentation-undici 0.34.0 writes the query of each request into `url.full` and `url.query` as it is.
# @opentelemetry/instrumentation-http 0.301.0 masks the values of `sig`, `Signature`, `AWSAccessKeyId` and
# `X-Goog-Signature` (`redactedQueryParams`), as the semantic conventions ask.
#
# It matters for whoever relies on the conventions: signed addresses of storage that `fetch` gets are in the traces whole,
# while those that node:http gets are masked. Neither masks `access_token`.
#
# Seen:
#   http: sig masked, access_token in clear
#   undici: sig in clear, access_token in clear
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @opentelemetry/api@1.10.0 @opentelemetry/instrumentation-http@0.301.0 @opentelemetry/instrumentation-undici@0.34.0
cat >check.cjs <<'JS'
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici');
const { trace, INVALID_SPAN_CONTEXT } = require('@opentelemetry/api');

/** A tracer that keeps the attributes of the spans of clients. */
function watch(instrumentation, written) {
  const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  const tracer = {
    startSpan: (_name, options) => {
      if (options.kind === 2) written.push(JSON.stringify(options.attributes));
      return span;
    },
  };
  instrumentation.setTracerProvider({ getTracer: () => tracer });
  instrumentation.enable();
}
const written = { http: [], undici: [] };
process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
watch(new HttpInstrumentation(), written.http);
watch(new UndiciInstrumentation(), written.undici);

const http = require('node:http');
const server = http.createServer((_request, response) => response.end()).listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/a?sig=made-up-signature&access_token=made-up-token`;
  await (await fetch(url)).text();
  await new Promise((resolve) => http.get(url, (response) => response.resume().once('end', resolve)));
  server.close();
  server.closeAllConnections();
  const state = (text, value) => (text.includes(value) ? 'in clear' : 'masked');
  const seen = Object.entries(written).map(
    ([name, [text = '']]) =>
      `${name}: sig ${state(text, 'made-up-signature')}, access_token ${state(text, 'made-up-token')}`,
  );
  for (const line of seen) console.log(line);
  const stated = ['http: sig masked, access_token in clear', 'undici: sig in clear, access_token in clear'];
  process.exit(seen.join() === stated.join() && written.http.length + written.undici.length === 2 ? 0 : 1);
});
JS
node check.cjs
