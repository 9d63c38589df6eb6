import { createServer } from 'node:http';

import { respond } from './app.ts';
import { listener } from './node.ts';

const listen = listener(respond);
createServer((incoming, outgoing) => void listen(incoming, outgoing)).listen(
  Number(process.env['PORT'] ?? 3000),
);
