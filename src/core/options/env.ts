/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables of the process, where there is one, or of `env`. An empty one counts as unset. */
export function readVariable(env: Environment | undefined, name: string): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
  try {
    return (env ?? process?.env)?.[name] || undefined;
  } catch {
    // Deno gives no variable without a permission.
    return undefined;
  }
}

/** The settings that both platforms read from the environment. An option beats its variable. */
export function sharedFromEnvironment(
  env: Environment | undefined,
  options: { readonly graphVersion?: string | undefined; readonly licenseKey?: string | undefined },
): { readonly graphVersion: string | undefined; readonly licenseKey: string | undefined } {
  return {
    graphVersion: options.graphVersion ?? readVariable(env, 'GRAPH_VERSION'),
    licenseKey: options.licenseKey ?? readVariable(env, 'SDK_LICENSE_KEY'),
  };
}
