// Exit codes of the hub's commands.
import { ManagementError } from '@gatewarden/management-client';
import { CommanderError } from 'commander';
import { isDatabaseAway } from './platform/db/database.ts';

/**
 * `negative`: the answer is no (it differs, is unhealthy, or is not there), or a configuration is wrong. `unreachable`:
 * a hub or database does not answer. `refused`: a hub answered that it will not.
 */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, refused: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failed command that knows its exit code. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode;

  constructor(error: unknown, exitCode: ExitCode) {
    super(error instanceof Error ? error.message : String(error), { cause: error });
    this.exitCode = exitCode;
  }
}

/** Returns the exit code of a failed command, by the error or what caused it. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailed) return error.exitCode;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof CommanderError) return EXIT.usage;
    if (cause instanceof ManagementError) {
      return cause.status >= 500 ? EXIT.unreachable : EXIT.refused;
    }
    // `fetch` reports any failed connection as a TypeError with a cause.
    const isFetch = cause instanceof TypeError && cause.cause !== undefined;
    if (isFetch || isDatabaseAway(cause)) return EXIT.unreachable;
  }
  return EXIT.negative;
}
