// The exit code of a hub's command that failed.
import { ManagementError } from '@gatewarden/management-client';
import { EXIT, type ExitCode } from '@gatewarden/shared/exit-codes.ts';
import { CommanderError } from 'commander';
import { isDatabaseAway } from './platform/db/database.ts';

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
