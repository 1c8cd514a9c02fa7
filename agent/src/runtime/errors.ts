// Errors whose message users may see: a clear line, without a stack.
import { EXIT, type ExitCode } from '@gatewarden/shared/exit-codes.ts';

/** A failure that the command line prints as a line. */
export class PlainError extends Error {
  override name: string = 'PlainError';
  /** The exit code of a command that ends with it. */
  readonly exitCode: ExitCode = EXIT.negative;
}

/** An option of the command line is missing or has a wrong value. */
export class UsageError extends PlainError {
  override name: string = 'UsageError';
  override readonly exitCode = EXIT.usage;
}

/** A hub or a service does not answer. */
export class Unreachable extends PlainError {
  override name: string = 'Unreachable';
  override readonly exitCode = EXIT.unreachable;
}

/** A hub or a service answered that it will not. */
export class Refused extends PlainError {
  override name: string = 'Refused';
  override readonly exitCode = EXIT.refused;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code (`ENOENT`, `EACCES` …), or null. */
export function codeOf(error: unknown): string | null {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return null;
}

/** Returns whether the error is that a file, or a folder on the way to it, is missing. */
export function isAbsence(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** Advice for an account that may not read the agent's files. */
export const AS_THE_AGENT = 'run this as root, or as the account of the agent';
