import type { APIRoute } from 'astro';

import { respond } from '../../app.ts';

export const ALL: APIRoute = ({ request }) => respond(request);
