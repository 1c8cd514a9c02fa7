// Helpers for readers of the environment: the error of a wrong value, and a choice from a few values.

/** A wrong setting of the operator. The program prints the message as its only line. */
export class ConfigError extends Error {}

/** An option of a command is missing or has a wrong value: exit code 2. */
export class UsageError extends ConfigError {}

export function choice<T extends string>(
  name: string,
  text: string | undefined,
  values: readonly T[],
  fallback: T,
): T {
  if (text === undefined) return fallback;
  const found = values.find((value) => value === text);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}`);
  return found;
}
