import { err, type Result } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables of the process, if there is one, or of `env`. An empty one counts as unset. */
export function readVariable(env: Environment | undefined, name: string): string | undefined {
  try {
    // Not every runtime has it, so the types do not know it.
    const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
    return (env ?? process?.env)?.[name] || undefined;
  } catch {
    // Deno throws without the permission, and workerd in a script that is no module.
    return undefined;
  }
}

/** The variables of the settings that both platforms have. */
const shared = {
  graphVersion: 'GRAPH_VERSION',
  licenseKey: 'SDK_LICENSE_KEY',
  platform: 'PAGEPICS_PLATFORM',
};

/**
 * Creates a context with settings from the environment, unless they are among the options. An error names the variable
 * at fault.
 */
export function fromEnvironment<TOptions, TContext>(
  make: (options: TOptions) => Result<TContext, ConfigurationError>,
  options: Partial<TOptions> & { readonly env?: Environment | undefined },
  named: Readonly<Record<string, string>>,
): Result<TContext, ConfigurationError> {
  let settings: Record<string, unknown>;
  const texts: Record<string, string | undefined> = {};
  const variables: Readonly<Record<string, string>> = { ...named, ...shared };
  try {
    const { env, ...rest } = options;
    settings = rest;
    for (const [name, variable] of Object.entries(variables)) {
      if ((settings[name] ?? undefined) !== undefined) continue;
      texts[name] = readVariable(env, variable);
      settings[name] = name === 'platform' ? addressesIn(texts[name]) : texts[name];
    }
  } catch {
    return err(new ConfigurationError('options must be an object that can be read', 'options'));
  }
  // `make` checks them, as it checks those of any caller.
  return make(settings as TOptions).mapErr((error) => {
    const [name = ''] = error.option?.split('.') ?? [];
    const variable = variables[name];
    if (variable === undefined || !Object.hasOwn(texts, name)) return error;
    const message =
      texts[name] === undefined ? `${variable} is not set` : error.message.replace(name, variable);
    const hint = error.option === 'platform' ? ' of addresses, as JSON: a sandbox shows it at /.env' : '';
    return new ConfigurationError(message + hint, variable);
  });
}

/** The addresses of a platform, as JSON, without its words; anything else is refused later, with the other settings. */
function addressesIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text, (name, value: unknown) => (name === 'words' ? undefined : value)) ?? text;
  } catch {
    return text;
  }
}
