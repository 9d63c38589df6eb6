#!/usr/bin/env bash
# unpic 4.2.2, which makes addresses for image CDNs: asked for 1080 × 1350 and no format, its addresses for imgix, Unsplash,
# Sanity, Cloudinary and Cloudflare say `auto=format` or `f_auto`: the CDN sends AVIF, WebP or JPEG by the `Accept` header of
# whoever asks. For imgix, Unsplash and Sanity they also say `fit=min`, which never enlarges: a smaller original has another
# size than was asked for. With `format: 'jpg'`, the first is gone, and Shopify, of which no format can be asked, has the
# same address as before.
#
# It matters where a server fetches the picture, such as one that takes only JPEG: the address shows a JPEG in one client, and
# gives something else to the next.
#
# Seen:
#   imgix: ?w=1080&h=1350&fit=min&auto=format, with jpg ?fm=jpg&w=1080&h=1350&fit=min
#   Cloudinary: w_1080,h_1350,f_auto,c_lfill, with jpg w_1080,h_1350,f_jpg,c_lfill
#   Cloudflare: width=1080,height=1350,f=auto,fit=cover, with jpg width=1080,height=1350,f=jpeg,fit=cover
#   Sanity: ?w=1080&h=1350&fit=min&auto=format, with jpg ?fm=jpg&w=1080&h=1350&fit=min
#   Contentful: ?w=1080&h=1350&fit=fill, with jpg ?fm=jpg&w=1080&h=1350&fit=fill
#   Shopify: ?width=1080&height=1350, with jpg ?width=1080&height=1350
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts unpic@4.2.2
cat >check.mjs <<'JS'
import { transformUrl } from 'unpic';

const addresses = {
  imgix: 'https://example.imgix.net/a.jpg',
  Cloudinary: 'https://res.cloudinary.com/demo/image/upload/v1/a.jpg',
  Cloudflare: 'https://example.com/cdn-cgi/image/width=200/a.jpg',
  Sanity: 'https://cdn.sanity.io/images/x/production/abc-1000x1000.jpg',
  Contentful: 'https://images.ctfassets.net/a/b/c.jpg',
  Shopify: 'https://cdn.shopify.com/s/files/1/a.jpg',
};
/** The part that asks for something. */
const asks = (url) => url.split('/').find((part) => /[?_=].*1080/.test(part)).replace(/^[^?]*(?=\?)/, '');
const seen = Object.entries(addresses).map(([name, url]) => {
  const size = { url, width: 1080, height: 1350 };
  const [plain, jpg] = [transformUrl(size), transformUrl({ ...size, format: 'jpg' })];
  return `${name}: ${asks(String(plain))}, with jpg ${asks(String(jpg))}`;
});
console.log(seen.join('\n'));
const expected = `imgix: ?w=1080&h=1350&fit=min&auto=format, with jpg ?fm=jpg&w=1080&h=1350&fit=min
Cloudinary: w_1080,h_1350,f_auto,c_lfill, with jpg w_1080,h_1350,f_jpg,c_lfill
Cloudflare: width=1080,height=1350,f=auto,fit=cover, with jpg width=1080,height=1350,f=jpeg,fit=cover
Sanity: ?w=1080&h=1350&fit=min&auto=format, with jpg ?fm=jpg&w=1080&h=1350&fit=min
Contentful: ?w=1080&h=1350&fit=fill, with jpg ?fm=jpg&w=1080&h=1350&fit=fill
Shopify: ?width=1080&height=1350, with jpg ?width=1080&height=1350`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
