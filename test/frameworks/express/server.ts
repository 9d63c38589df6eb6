import express from 'express';

import { respond } from './app.ts';
import { listener } from './node.ts';

const app = express();
// Before any `express.json()`, which reads the body, for anybody: the signature covers the bytes as they were sent.
app.use(['/webhooks', '/login'], listener(respond));
app.use(express.json());
app.listen(Number(process.env['PORT'] ?? 3000));
