/**
 * Whether a request has the key of your API, as `Authorization: Bearer <key>`. Without a key, nobody is allowed. Digests
 * are compared, so that the time it takes says nothing about the key.
 */
export async function isAllowed(request: Request, key: string | undefined): Promise<boolean> {
  if (!key) return false;
  const [given, expected] = await Promise.all(
    [request.headers.get('authorization') ?? '', `Bearer ${key}`].map(async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      return new Uint8Array(digest).join();
    }),
  );
  return given === expected;
}
