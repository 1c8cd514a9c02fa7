// Exit codes of every command, of the hub and of the agent.

/**
 * `negative`: the answer is negative (different, unhealthy or not found), or a configuration is invalid. `unreachable`:
 * a hub, a service or a database does not answer. `refused`: a hub or a service rejected the request.
 */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, refused: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Meanings of the exit codes, for the help of a command and for its manual page. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'success',
  negative: 'negative answer (differs, unhealthy, not found) or invalid configuration',
  usage: 'usage error',
  unreachable: 'hub, service or database unreachable',
  refused: 'refused by the hub or the service',
};

/** Returns the name of an exit code: the `code` of a JSON error that has no code of its own. */
export function exitName(code: ExitCode): keyof typeof EXIT {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return names.find((name) => EXIT[name] === code) ?? 'negative';
}
