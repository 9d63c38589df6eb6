#!/usr/bin/env bash
# json-bigint 1.0.0 takes every number of more than 15 signs for a large integer, also a fraction. With `useNativeBigInt`, the
# whole text is refused because of one average, since `BigInt('12.333333333333334')` throws. By default, that average is a
# BigNumber, which `+` joins as a text. lossless-json 4.3.3, with `parseNumberAndBigInt`, gives bigints for integers only.
#
# It matters where it is used for the ids of 17 digits of an API whose figures are averages at times: the same call works for
# one Page and not for the next, by how its numbers divide.
#
# Seen, of an id of 17 digits and an average:
#   useNativeBigInt, 37 / 4: bigint 17841400000000001, number 9.25
#   useNativeBigInt, 37 / 3: SyntaxError
#   by default, 37 / 4 + 1: 10.25
#   by default, 37 / 3 + 1: "12.3333333333333341"
#   lossless-json, 37 / 3: bigint 17841400000000001, number 12.333333333333334
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts json-bigint@1.0.0 lossless-json@4.3.3
cat >check.mjs <<'JS'
import JSONbig from 'json-bigint';
import { parse as parseLossless, parseNumberAndBigInt } from 'lossless-json';

const text = (average) => `{"id":17841400000000001,"average":${JSON.stringify(average)}}`;
const native = JSONbig({ useNativeBigInt: true });
const show = (parse, average) => {
  try {
    const { id, average: read } = parse(text(average));
    return `${typeof id} ${id}, ${typeof read} ${read}`;
  } catch ({ name }) {
    return name;
  }
};
const added = (average) => JSON.stringify(JSONbig.parse(text(average)).average + 1);
const lossless = (given) => parseLossless(given, undefined, parseNumberAndBigInt);
const seen = [
  `useNativeBigInt, 37 / 4: ${show(native.parse, 37 / 4)}`,
  `useNativeBigInt, 37 / 3: ${show(native.parse, 37 / 3)}`,
  `by default, 37 / 4 + 1: ${added(37 / 4)}`,
  `by default, 37 / 3 + 1: ${added(37 / 3)}`,
  `lossless-json, 37 / 3: ${show(lossless, 37 / 3)}`,
];
console.log(seen.join('\n'));
const expected = `useNativeBigInt, 37 / 4: bigint 17841400000000001, number 9.25
useNativeBigInt, 37 / 3: SyntaxError
by default, 37 / 4 + 1: 10.25
by default, 37 / 3 + 1: "12.3333333333333341"
lossless-json, 37 / 3: bigint 17841400000000001, number 12.333333333333334`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
