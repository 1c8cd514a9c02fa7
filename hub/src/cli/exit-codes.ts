// The exit code of a hub's command that failed.
import { ManagementError } from '@gatewarden/management-client';
import { EXIT, type ExitCode } from '@gatewarden/shared/exit-codes.ts';
import { CommanderError } from 'commander';
import { UsageError } from '../platform/config/config.ts';
import { isDatabaseAway } from '../platform/db/database.ts';
import { ERRORS } from '../platform/http/errors/error-list.ts';
import { HubError } from '../platform/http/errors/errors.ts';

/** A failed command that knows its exit code. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode;
  /** Code of the error for JSON; the name of the exit code if left out. */
  readonly code: string | undefined;

  constructor(error: unknown, exitCode: ExitCode, code?: string) {
    super(error instanceof Error ? error.message : String(error), { cause: error });
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** Returns the exit code of a failed command, by the error or what caused it. */
export function exitCodeOf(error: unknown): ExitCode {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = ownExitCode(cause);
    if (code !== null) return code;
  }
  return EXIT.negative;
}

/** Returns the exit code that an error has by itself; null if its cause decides. */
function ownExitCode(error: Error): ExitCode | null {
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof CommanderError || error instanceof UsageError) return EXIT.usage;
  if (error instanceof ManagementError)
    return error.status >= 500 ? EXIT.unreachable : EXIT.refused;
  if (error instanceof HubError) return exitCodeOfStatus(ERRORS[error.code].status);
  // `fetch` reports any failed connection as a TypeError with a cause.
  const isFetch = error instanceof TypeError && error.cause !== undefined;
  return isFetch || isDatabaseAway(error) ? EXIT.unreachable : null;
}

/** Returns the exit code for an HTTP status of the hub's own routes: 404 is a negative answer, 400 a usage error. */
export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 404) return EXIT.negative;
  if (status === 400) return EXIT.usage;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}
