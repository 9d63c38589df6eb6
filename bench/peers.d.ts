// What is used of clients that only the benchmark installs, so that its types can be checked without them.

declare module '@octokit/request' {
  export function request(
    route: string,
    options?: { readonly request: { readonly fetch: typeof fetch } },
  ): Promise<unknown>;
}

declare module 'facebook-nodejs-business-sdk' {
  const official: {
    readonly FacebookAdsApi: { readonly init: (token: string, locale: string, crashLog: boolean) => object };
    readonly User: new (id: string) => { readonly get: (fields: readonly string[]) => Promise<unknown> };
  };
  export default official;
}

declare module 'instagram-graph-api' {
  export const PageField: { readonly NAME: string };
  export class Client {
    constructor(token: string, pageId: string);
    newGetPageInfoRequest(field: string): { config: () => object; readonly execute: () => Promise<unknown> };
  }
}
