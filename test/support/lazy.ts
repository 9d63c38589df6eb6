/** An object whose members are made when they are first asked for: most tests ask for one of several contexts. */
export function lazy<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const object = {};
  for (const [name, make] of Object.entries(makers) as [string, () => unknown][]) {
    Object.defineProperty(object, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = make();
        Object.defineProperty(object, name, { enumerable: true, value });
        return value;
      },
    });
  }
  // Each name has what its maker makes.
  return object as T;
}
