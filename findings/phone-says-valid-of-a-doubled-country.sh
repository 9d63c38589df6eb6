#!/usr/bin/env bash
# phone 3.1.72 makes E.164 of phone numbers. Told the country and that landlines are welcome, it calls `0049 30 1234567` valid,
# and gives +4949301234567, with the country twice; of `+49 (0)30 1234567`, as Germans print it, it keeps the zero, which nobody
# can dial from abroad, and calls that valid, too, but not `030 1234567`. Of a mobile number with that zero it says, told the
# right country, that it is invalid, and told none, that it is valid. libphonenumber-js 1.13.16 reads all of them.
#
# It matters for leads, whose people write their number as they always do: a text that one would gladly have refused is stored
# as a valid number that reaches nobody.
#
# Seen, with libphonenumber-js behind the bar:
#   0049 30 1234567, DE: valid +4949301234567 | valid +49301234567
#   +49 (0)30 1234567, DE: valid +490301234567 | valid +49301234567
#   030 1234567, DE: invalid | valid +49301234567
#   +49 (0)151 23456789, DE: invalid | valid +4915123456789
#   +49 (0)151 23456789: valid +4915123456789 | valid +4915123456789
#   +33 (0)6 12 34 56 78, FR: invalid | valid +33612345678
#   +33 (0)6 12 34 56 78: valid +33612345678 | valid +33612345678
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts phone@3.1.72 libphonenumber-js@1.13.16
cat >check.mjs <<'JS'
import parse from 'libphonenumber-js/max';
import { phone } from 'phone';

const say = (isValid, number) => (isValid ? `valid ${number}` : 'invalid');
const seen = [
  ['0049 30 1234567', 'DE', false],
  ['+49 (0)30 1234567', 'DE', false],
  ['030 1234567', 'DE', false],
  ['+49 (0)151 23456789', 'DE'],
  ['+49 (0)151 23456789'],
  ['+33 (0)6 12 34 56 78', 'FR'],
  ['+33 (0)6 12 34 56 78'],
].map(([text, country, validateMobilePrefix = true]) => {
  const { isValid, phoneNumber } = phone(text, { country, validateMobilePrefix });
  const other = parse(text, country);
  const named = country === undefined ? text : `${text}, ${country}`;
  return `${named}: ${say(isValid, phoneNumber)} | ${say(other?.isValid(), other?.number)}`;
});
console.log(seen.join('\n'));
const expected = `0049 30 1234567, DE: valid +4949301234567 | valid +49301234567
+49 (0)30 1234567, DE: valid +490301234567 | valid +49301234567
030 1234567, DE: invalid | valid +49301234567
+49 (0)151 23456789, DE: invalid | valid +4915123456789
+49 (0)151 23456789: valid +4915123456789 | valid +4915123456789
+33 (0)6 12 34 56 78, FR: invalid | valid +33612345678
+33 (0)6 12 34 56 78: valid +33612345678 | valid +33612345678`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
