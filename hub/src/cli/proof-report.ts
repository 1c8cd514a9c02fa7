// The report of a proof as a file: checks before the proof that it can be written, and writes it.
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../platform/config/config.ts';

/** The file name that means standard output, which also works in a container without a shell. */
const STREAM = '-';

/** Returns the path of a new report file, before the proof begins. Throws ConfigError where none can be written. */
export function reportPath(target: string, now: Date): string {
  if (target === STREAM) return target;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = resolve(isFolder ? join(target, `gatewarden-proof-${stamp}.json`) : target);
  if (existsSync(path)) throw new ConfigError(`${path} exists already: give the report a new name`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return path;
}

/** Writes a report that only its owner can read, because it names tenants. */
export function writeReport(path: string, text: string): void {
  if (path === STREAM) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): ConfigError {
  return new ConfigError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`);
}
