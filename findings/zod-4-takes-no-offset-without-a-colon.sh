#!/usr/bin/env bash
# zod 4.6.7: `z.iso.datetime({ offset: true })` refuses `2026-11-29T10:00:00+0000`, also with `local: true`, as does the schema
# that `z.fromJSONSchema` makes of the format `date-time`. zod 3.25.76 takes it by `datetime({ offset: true })`, whose successor it
# is, and so do valibot 1.5.0 (`isoTimestamp`), ArkType 2.2.9 (`string.date.iso`), yup 1.7.1 (`allowOffset`) and ajv-formats 3.0.1 (`date-time`).
# RFC 3339 asks for the colon, ISO 8601 does not; `z.coerce.date()` takes either.
#
# It matters for APIs that write times so, such as graph APIs of social platforms: after an upgrade to zod 4, or in its place in
# a list of validators that were thought to agree, each response fails, also that of a write that has taken effect.
#
# Seen, of 2026-11-29T10:00:00+0000:
#   zod 4: refused
#   zod 4, offset and local: refused
#   zod 4, from JSON Schema: refused
#   zod 3: taken
#   valibot: taken
#   ArkType: taken
#   yup: taken
#   ajv-formats: taken
#   zod 4, of +00:00: taken
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zod@4.6.7 zod3@npm:zod@3.25.76 valibot@1.5.0 arktype@2.2.9 yup@1.7.1 ajv@8.20.0 ajv-formats@3.0.1
cat >check.mjs <<'JS'
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { type } from 'arktype';
import * as v from 'valibot';
import * as yup from 'yup';
import { z } from 'zod';
import { z as z3 } from 'zod3';

const time = '2026-11-29T10:00:00+0000';
const ajv = new Ajv();
addFormats(ajv);
const taken = {
  'zod 4': z.iso.datetime({ offset: true }).safeParse(time).success,
  'zod 4, offset and local': z.iso.datetime({ offset: true, local: true }).safeParse(time).success,
  'zod 4, from JSON Schema': z.fromJSONSchema({ type: 'string', format: 'date-time' }).safeParse(time).success,
  'zod 3': z3.string().datetime({ offset: true }).safeParse(time).success,
  valibot: v.safeParse(v.pipe(v.string(), v.isoTimestamp()), time).success,
  ArkType: !(type('string.date.iso')(time) instanceof type.errors),
  yup: yup.string().datetime({ allowOffset: true }).isValidSync(time),
  'ajv-formats': ajv.compile({ type: 'string', format: 'date-time' })(time),
  'zod 4, of +00:00': z.iso.datetime({ offset: true }).safeParse(time.replace('+0000', '+00:00')).success,
};
const seen = Object.entries(taken).map(([name, isTaken]) => `${name}: ${isTaken ? 'taken' : 'refused'}`);
console.log(seen.join('\n'));
const expected = `zod 4: refused
zod 4, offset and local: refused
zod 4, from JSON Schema: refused
zod 3: taken
valibot: taken
ArkType: taken
yup: taken
ajv-formats: taken
zod 4, of +00:00: taken`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
