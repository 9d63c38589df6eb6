// The build loads this file, and often has no variables: `app.ts` waits for the first request.
export async function POST(request: Request): Promise<Response> {
  const { respond } = await import('../../../lib/app');
  return respond(request);
}

export { POST as GET };
