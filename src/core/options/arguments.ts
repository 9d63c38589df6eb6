/** The arguments of a command line, sorted. */
export interface Arguments<TName extends string, TFlag extends string> {
  /** The values of options: of `--name value` and of `--name=value`. */
  readonly values: Readonly<Partial<Record<TName, string>>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<TFlag>;
  readonly words: readonly string[];
}

/** Sorts the arguments of a command line, or says what is wrong with the first that does not fit. */
export function readArguments<TName extends string, TFlag extends string = never>(
  args: readonly string[],
  names: readonly TName[],
  flags: readonly TFlag[] = [],
  lacksValue = (name: TName): string => `${name} needs a value.`,
): Arguments<TName, TFlag> | string {
  const values: Partial<Record<TName, string>> = {};
  const given = new Set<TFlag>();
  const words: string[] = [];
  const parts = args
    .flatMap((word) => (word.startsWith('--') ? /^([^=]*)(?:=(.*))?$/s.exec(word)?.slice(1) : [word]))
    .filter((part) => part !== undefined);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const name = names.find((one) => one === part);
    const flag = flags.find((one) => one === part);
    if (flag !== undefined) given.add(flag);
    else if (name !== undefined) {
      at += 1;
      const value = parts[at];
      if (value === undefined || value === '' || value.startsWith('--')) return lacksValue(name);
      values[name] = value;
    } else if (part.startsWith('-')) return unknownArguments([part]);
    else words.push(part);
  }
  return { values, flags: given, words };
}

export function unknownArguments(words: readonly string[]): string {
  return `Unknown argument: ${words.map(shownArgument).join(' ')}`;
}

/** An argument as a message may show it: long ones that are not just letters may be tokens. */
export function shownArgument(word: string): string {
  return word.length <= 20 || /^[a-z-]{1,40}$/i.test(word) ? word : `(${word.length} characters)`;
}
