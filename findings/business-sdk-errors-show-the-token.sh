#!/usr/bin/env bash
# facebook-nodejs-business-sdk 24.0.1, the platform's own SDK for business: it puts the access token into the address of each
# request, also of a POST, and that address into its errors, as `url`: whoever logs such an error, by console.error or as JSON,
# logs the token. An answer that is no JSON, such as the page of a gateway with 502, is a bare SyntaxError instead, without the
# status, so that nothing tells whether the POST may have taken effect. A number of 17 digits in an answer is rounded.
#
# It matters for what runs unattended, whose errors are what people, trackers and tickets see; and for retries, which need the
# status. Take `url` out of its errors before they are logged. `setShowHeader` and `setDebug` are not involved.
#
# The platform is played here, at an address of this machine.
#
# Seen, of a POST:
#   400: FacebookRequestError, status 400, console.error shows the token: true, JSON: true
#   502, a page: SyntaxError, status undefined, console.error shows the token: false, JSON: false
#   200, the id 17841400000000001: 17841400000000000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts facebook-nodejs-business-sdk@24.0.1
cat >check.mjs <<'JS'
import { createServer } from 'node:http';
import { inspect } from 'node:util';

import sdk from 'facebook-nodejs-business-sdk';

const answers = {
  refused: [400, 'application/json', '{"error":{"message":"Invalid parameter","code":100}}'],
  gateway: [502, 'text/html', '<html>Bad gateway</html>'],
  taken: [200, 'application/json', '{"id":17841400000000001}'],
};
const server = createServer((request, response) => {
  const [status, type, text] = answers[/(\w+)\?/.exec(request.url)[1]];
  response.writeHead(status, { 'content-type': type }).end(text);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const { FacebookAdsApi } = sdk;
const graph = `http://127.0.0.1:${server.address().port}`;
Object.defineProperty(FacebookAdsApi, 'GRAPH', { value: graph });
const token = 'a-made-up-token';
const api = FacebookAdsApi.init(token);
const post = (path) => api.call('POST', [path], { message: 'Open until nine' });
const errorOf = async (path) => {
  const error = await post(path).catch((caught) => caught);
  const shown = [inspect(error), JSON.stringify(error)].map((text) => text.includes(token));
  const name = error.constructor.name;
  return `${name}, status ${error.status}, console.error shows the token: ${shown[0]}, JSON: ${shown[1]}`;
};

const seen = [
  `400: ${await errorOf('refused')}`,
  `502, a page: ${await errorOf('gateway')}`,
  `200, the id 17841400000000001: ${(await post('taken')).id}`,
];
server.close();
server.closeAllConnections();
console.log(seen.join('\n'));
const expected = `400: FacebookRequestError, status 400, console.error shows the token: true, JSON: true
502, a page: SyntaxError, status undefined, console.error shows the token: false, JSON: false
200, the id 17841400000000001: 17841400000000000`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
