import { respond } from '../app.ts';

export default defineEventHandler((event) =>
  /^\/(webhooks|login)\b/.test(event.path) ? respond(toWebRequest(event)) : undefined,
);
