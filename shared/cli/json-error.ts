// Failures as JSON: with --json, a command that fails prints this document on standard output.
import { type ExitCode, exitName } from '../exit-codes.ts';

/** Returns `{"error":{"code","message"}}` as a line; without a code of its own, the exit code's name is the code. */
export function errorDocument(failure: {
  exitCode: ExitCode;
  message: string;
  code?: string | undefined;
}): string {
  const { exitCode, message, code = exitName(exitCode) } = failure;
  return `${JSON.stringify({ error: { code, message } })}\n`;
}

/** Returns whether the arguments ask for JSON, also where they cannot be parsed. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}
