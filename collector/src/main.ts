#!/usr/bin/env node
// gatewarden-collect: follows a log export. Rows go to files or standard output, words to standard error. Exit 0 when it
// was stopped or everything was read, 1 for what cannot go on, 2 where the hub refuses.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { collect } from './collect.ts';
import { Refused } from './page.ts';
import { openFileSink, openStreamSink } from './sinks.ts';

interface Options {
  url: string;
  endpoint: 'llm' | 'mcp';
  keyFile?: string;
  keyStdin?: boolean;
  out?: string;
  state?: string;
  startTime?: string;
  limit: number;
  poll: number;
  once?: boolean;
}

const program = new Command('gatewarden-collect')
  .description('Follows a Gatewarden log export into NDJSON files or standard output')
  .requiredOption('--url <url>', 'origin of the hub')
  .addOption(
    new Option('--endpoint <name>', 'LLM requests or MCP tool calls')
      .choices(['llm', 'mcp'])
      .default('llm'),
  )
  .option('--key-file <file>', 'file with the log-export key; else GATEWARDEN_LOG_EXPORT_KEY')
  .option('--key-stdin', 'read the key from standard input')
  .option('--out <folder>', 'write NDJSON files there; the cursor is kept beside them')
  .option('--state <file>', 'where the cursor is kept when rows go to standard output')
  .option('--start-time <time>', 'where to begin the first time; else the last 24 hours')
  .option('--limit <rows>', 'rows of a page, up to 5000', Number, 5000)
  .option('--poll <seconds>', 'between two looks once everything is read', Number, 60)
  .option('--once', 'end when everything is read')
  .action(run);

async function run(options: Options): Promise<void> {
  if (!(options.poll > 0)) throw new Error('--poll must be a number of seconds above 0');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const sink =
    options.out === undefined
      ? openStreamSink(process.stdout, options.state ?? null)
      : openFileSink(options.out);
  try {
    await collect(
      {
        url: options.url,
        endpoint: options.endpoint,
        key: await keyOf(options),
        limit: options.limit,
      },
      sink,
      {
        startTime: options.startTime ?? null,
        pollSeconds: options.once === true ? null : options.poll,
        stopped: stop.signal,
        say: (message) => process.stderr.write(`gatewarden-collect: ${message}\n`),
        random: Math.random,
      },
    );
  } finally {
    sink.close();
  }
}

async function keyOf(options: Options): Promise<string> {
  const key =
    options.keyStdin === true
      ? await text(process.stdin)
      : options.keyFile === undefined
        ? (process.env.GATEWARDEN_LOG_EXPORT_KEY ?? '')
        : readFileSync(options.keyFile, 'utf8');
  if (key.trim() === '') throw new Error('no log-export key: see --help');
  return key.trim();
}

program.parseAsync().catch((error: unknown) => {
  const isExpired = error instanceof Refused && error.code === 'cursor_expired';
  const hint = isExpired ? ' Rows before what is kept are lost: begin a new folder or state.' : '';
  process.stderr.write(`gatewarden-collect: ${(error as Error).message}${hint}\n`);
  process.exit(error instanceof Refused ? 2 : 1);
});
