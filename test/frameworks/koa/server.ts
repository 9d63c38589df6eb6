import Koa from 'koa';

import { respond } from './app.ts';
import { listener } from './node.ts';

const app = new Koa();
// Before any body parser.
app.use(async (ctx, next) => {
  if (!/^\/(webhooks|login)\b/.test(ctx.path)) return next();
  ctx.respond = false;
  await listener(respond)(ctx.req, ctx.res);
});
app.listen(Number(process.env['PORT'] ?? 3000));
