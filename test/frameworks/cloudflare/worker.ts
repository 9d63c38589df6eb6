import { respond } from './app.ts';

export default { fetch: respond };
