#!/usr/bin/env bash
# Six readers of CSV that recognize types, and an id of 17 digits: PapaParse 5.7.1 (`dynamicTyping`) leaves a number as text
# that would not be exact. csv-parse 7.0.3 (`cast`), d3-dsv 3.0.2 (`autoType`), csvtojson 2.0.14 (`checkType`) and
# ExcelJS 4.4.0 round it. SheetJS (xlsx 0.18.5) rounds it, too, and also keeps the text: `sheet_to_csv` shows every digit, and
# `sheet_to_json` of the same sheet gives the neighbour's id. In the same file, SheetJS takes the code 10-11 for a day of 2001.
#
# It matters for lists of ids that come from a spreadsheet: what a person sees in the file, and in the copy that is written to
# check it, is not what the program sends.
#
# Seen, for 9007199254740993:
#   PapaParse: string 9007199254740993
#   csv-parse: number 9007199254740992
#   d3-dsv: number 9007199254740992
#   csvtojson: number 9007199254740992
#   ExcelJS: number 9007199254740992
#   SheetJS: number 9007199254740992, and as CSV 9007199254740993,10/11/01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts papaparse@5.7.1 csv-parse@7.0.3 d3-dsv@3.0.2 csvtojson@2.0.14 exceljs@4.4.0 xlsx@0.18.5
cat >check.mjs <<'JS'
import { Readable } from 'node:stream';

import { parse } from 'csv-parse/sync';
import csvtojson from 'csvtojson';
import { autoType, csvParse } from 'd3-dsv';
import ExcelJS from 'exceljs';
import Papa from 'papaparse';
import XLSX from 'xlsx';

const csv = 'id,code\n9007199254740993,10-11\n';
const sheet = XLSX.read(csv, { type: 'string' }).Sheets.Sheet1;
const worksheet = await new ExcelJS.Workbook().csv.read(Readable.from([csv]));
const ids = {
  PapaParse: Papa.parse(csv, { header: true, dynamicTyping: true }).data[0].id,
  'csv-parse': parse(csv, { columns: true, cast: true })[0].id,
  'd3-dsv': csvParse(csv, autoType)[0].id,
  csvtojson: (await csvtojson({ checkType: true }).fromString(csv))[0].id,
  ExcelJS: worksheet.getRow(2).getCell(1).value,
  SheetJS: XLSX.utils.sheet_to_json(sheet)[0].id,
};
const seen = Object.entries(ids).map(([name, id]) => `${name}: ${typeof id} ${id}`);
seen[5] += `, and as CSV ${XLSX.utils.sheet_to_csv(sheet).split('\n')[1]}`;
console.log(seen.join('\n'));
const expected = `PapaParse: string 9007199254740993
csv-parse: number 9007199254740992
d3-dsv: number 9007199254740992
csvtojson: number 9007199254740992
ExcelJS: number 9007199254740992
SheetJS: number 9007199254740992, and as CSV 9007199254740993,10/11/01`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
