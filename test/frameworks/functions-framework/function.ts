import { http } from '@google-cloud/functions-framework';

import { respond } from './app.ts';
import { listener } from './node.ts';

http('respond', listener(respond));
