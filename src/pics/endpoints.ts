// `export *` on purpose: see page/endpoints.ts.
export * from './profile.ts';
