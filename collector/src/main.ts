#!/usr/bin/env node
// Follows a log export. Rows go to files or standard output, messages to standard error.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { collect } from './collect.ts';
import { CertificateRejected, Refused } from './page.ts';
import { type CollectorOptions, createCollectorProgram, EXIT } from './program.ts';
import { openFileSink, openStreamSink } from './sinks.ts';

/** An option has an invalid value, or the key is missing. */
class UsageError extends Error {}

const program = createCollectorProgram()
  .configureOutput({ outputError: () => undefined })
  .action(run);

async function run(options: CollectorOptions): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const key = await readKey(options);
  const sink =
    options.out === undefined
      ? openStreamSink(process.stdout, options.state ?? null)
      : openFileSink(options.out);
  const notify = (message: string) => process.stderr.write(`gatewarden collect: ${message}\n`);
  try {
    await collect(
      { url: options.url, endpoint: options.endpoint, key, limit: options.limit },
      sink,
      {
        startTime: options.startTime ?? null,
        pollSeconds: options.once === true ? null : options.poll,
        stopped: stop.signal,
        notify: options.quiet === true ? () => undefined : notify,
        random: Math.random,
      },
    );
  } finally {
    sink.close();
  }
}

async function readKey(options: CollectorOptions): Promise<string> {
  if (!URL.canParse(options.url)) throw new UsageError('--url must be the origin of a hub');
  const key = options.keyStdin === true ? await text(process.stdin) : storedKey(options);
  if (key.trim() === '') throw new UsageError('no log-export key: see --help');
  return key.trim();
}

function storedKey({ keyFile }: CollectorOptions): string {
  if (keyFile === undefined) return process.env.GATEWARDEN_LOG_EXPORT_KEY ?? '';
  try {
    return readFileSync(keyFile, 'utf8');
  } catch (error) {
    throw new UsageError(`${keyFile} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the exit code and the code of the JSON error. */
function describeFailure(error: unknown): { exitCode: number; code: string } {
  if (error instanceof Refused) return { exitCode: EXIT.refused, code: error.code };
  if (error instanceof CertificateRejected) {
    return { exitCode: EXIT.unreachable, code: 'unreachable' };
  }
  const isUsage = error instanceof UsageError || error instanceof CommanderError;
  return isUsage
    ? { exitCode: EXIT.usage, code: 'usage' }
    : { exitCode: EXIT.negative, code: 'negative' };
}

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(EXIT.ok);
  const isExpired = error instanceof Refused && error.code === 'cursor_expired';
  const hint = isExpired ? ' Older rows are lost: start with a new folder or state file.' : '';
  const message = `${(error as Error).message.replace(/^error: /, '').replaceAll('\n', ' ')}${hint}`;
  const { exitCode, code } = describeFailure(error);
  const document = JSON.stringify({ error: { code, message } });
  const isJson = process.argv.includes('--json');
  process.stderr.write(isJson ? `${document}\n` : `gatewarden collect: ${message}\n`);
  process.exit(exitCode);
});
