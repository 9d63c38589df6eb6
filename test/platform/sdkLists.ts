/** The lists of an object of the official SDK, such as its `Fields`. */
export type Lists = Readonly<Record<string, readonly string[]>>;
/** The lists of several objects, by the names of their files. */
export type Objects = Readonly<Record<string, Lists>>;

/** The names in either of two objects. */
function names(one: object, other: object): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

/** The lists that a source declares, such as `Fields`, with the values of each. */
export function listsIn(source: string): Lists {
  const lists = [
    ...source.matchAll(/static get (\w+)\s*\(\)[^{]*\{\s*return Object\.freeze\(\{([^}]*)\}\)/g),
  ];
  return Object.fromEntries(
    lists.map(([, name, body = '']) => [
      name,
      [...body.matchAll(/:\s*'([^']*)'/g)].map(([, value = '']) => value),
    ]),
  );
}

/** Two collections of lists as one. */
export function merged(one: Objects, other: Objects): Objects {
  const lists = (a: Lists = {}, b: Lists = {}) =>
    names(a, b).map((list) => [list, [...new Set([...(a[list] ?? []), ...(b[list] ?? [])])]]);
  return Object.fromEntries(
    names(one, other).map((object) => [object, Object.fromEntries(lists(one[object], other[object]))]),
  );
}

/** What one SDK has and another has not, a line each; objects whose file is gone too. */
export function differences(before: Objects, after: Objects): readonly string[] {
  const lines: string[] = [];
  for (const object of names(before, after)) {
    const old = before[object] ?? {};
    const now = after[object] ?? {};
    for (const list of names(old, now)) {
      const had = old[list] ?? [];
      const has = now[list] ?? [];
      const added = has.filter((value) => !had.includes(value));
      const gone = had.filter((value) => !has.includes(value));
      if (added.length > 0) lines.push(`new in ${object}, ${list}: ${added.join(', ')}`);
      if (gone.length > 0) lines.push(`gone from ${object}, ${list}: ${gone.join(', ')}`);
    }
  }
  return lines;
}
