// The failure of a command: a line on standard error, a JSON document with --json, and the exit code.
import { errorDocument, wantsJson } from '@gatewarden/shared/cli/json-error.ts';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { CommanderError } from 'commander';
import { ConfigError } from '../platform/config/config.ts';
import { readEnv } from '../platform/config/env.ts';
import { isDatabaseAway, isDatabaseFull, isDatabaseReadOnly } from '../platform/db/database.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import { CommandFailed, exitCodeOf } from './exit-codes.ts';

/** Prints the failure and ends the process with its exit code. Help and version end with success. */
export function fail(error: unknown): never {
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(EXIT.ok);
  const exitCode = exitCodeOf(error);
  const message = messageOf(error);
  // Commander has printed its own errors.
  if (!(error instanceof CommanderError)) process.stderr.write(`hub: ${message}\n`);
  const isKnown =
    error instanceof ConfigError || error instanceof CommandFailed || isDatabaseAway(error);
  if (!isKnown && error instanceof Error && readEnv().HUB_LOG_LEVEL === 'debug') {
    process.stderr.write(`${error.stack}\n`);
  }
  if (wantsJson(process.argv.slice(2))) {
    process.stdout.write(errorDocument({ exitCode, message, code: codeOf(error) }));
  }
  process.exit(exitCode);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof CommanderError) return text.replace(/^error: /, '').replaceAll('\n', ' ');
  const isAborted = error instanceof Error && error.name === 'ExitPromptError';
  return isAborted ? 'canceled: nothing was changed' : `${placeOf(error)}${text.split('\n')[0]}`;
}

function placeOf(error: unknown): string {
  if (isDatabaseFull(error)) return 'the disk of the database is full: ';
  if (isDatabaseReadOnly(error)) return 'the database is read-only: ';
  return isDatabaseAway(error) ? 'the database cannot be reached (DATABASE_URL): ' : '';
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof HubError) return error.code;
  return error instanceof CommandFailed ? error.code : undefined;
}
