import type { RequestHandler } from '@sveltejs/kit';

// The build loads this file, and often has no variables: `app.ts` waits for the first request.
export const fallback: RequestHandler = async ({ request }) => {
  const { respond } = await import('../../../app.ts');
  return respond(request);
};
