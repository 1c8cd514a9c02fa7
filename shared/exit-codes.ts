// Exit codes of every command, of the hub and of the agent.

/**
 * `negative`: the answer is no (it differs, is unhealthy, or is not there), or a configuration is wrong. `unreachable`:
 * a hub, a service or a database does not answer. `refused`: a hub or a service answered that it will not.
 */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, refused: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
