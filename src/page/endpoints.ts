// `export *` on purpose. It hands on each function's own symbol, so the client's methods keep the
// function's doc comment and definition; `export { a } from` makes an alias that has neither.
export * from './deletePost.ts';
export * from './publishPost.ts';
