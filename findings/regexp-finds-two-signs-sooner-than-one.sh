#!/usr/bin/env bash
# Node 24.21.0, V8 13.6: a regular expression that begins with one literal sign is searched at half the speed of the same
# expression with a class of two signs in its place, of which the second never matches anything more. `[;:]` finds exactly what
# `:` finds here, and `[{[]` what `[` does. The time is the least of many searches.
#
# It matters wherever a pattern is looked for in large texts, such as numbers after names of ids in JSON that must not be parsed
# as numbers: to write less is slower.
#
# Seen, on an AMD EPYC, for a text of 0.8 MB:
#   /:\s*(?=[\d-])\d+/ takes 2.1 times as long as /[;:]\s*(?=[\d-])\d+/
#   /\[\s*[-\d]/ takes 3.2 times as long as /[{[]\s*[-\d]/
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >check.mjs <<'JS'
const text = JSON.stringify(
  Array.from({ length: 5000 }, (_, at) => ({
    id: `1220000000000${1000 + at}`,
    from: { name: 'Mara Bell' },
    message: 'How much is the blue one, and do you ship to Rome?',
    place: { city: 'Rome', zip: '00118' },
  })),
).slice(1);

function timeOf(pattern) {
  let least = Infinity;
  for (let run = 0; run < 60; run++) {
    const started = performance.now();
    for (let at = 0; at < 5; at++) if (pattern.test(text)) throw new Error('nothing should be found');
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

let isSo = true;
for (const [one, two] of [
  [/:\s*(?=[\d-])\d+/, /[;:]\s*(?=[\d-])\d+/],
  [/\[\s*[-\d]/, /[{[]\s*[-\d]/],
]) {
  const ratio = timeOf(one) / timeOf(two);
  console.log(`${one} takes ${ratio.toFixed(1)} times as long as ${two}`);
  isSo &&= ratio > 1.3;
}
process.exitCode = isSo ? 0 : 1;
JS
node_modules/.bin/node check.mjs
