// Defines the command line of the collector: its options and its help.
import { Command, InvalidArgumentError, Option } from 'commander';

export interface CollectorOptions {
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
  json?: boolean;
  quiet?: boolean;
}

/** Exit codes, the same as those of the hub and of the agent. */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, refused: 4 } as const;

const ROWS_MAX = 5000;

const HELP = `
Environment:
  GATEWARDEN_LOG_EXPORT_KEY  log-export key, if --key-file and --key-stdin are not given
  NODE_EXTRA_CA_CERTS        file with a private certificate authority (PEM)

Examples:
  gatewarden collect --url https://hub.example.com --out /var/log/gatewarden
  gatewarden collect --url https://hub.example.com --endpoint mcp --once >calls.ndjson

Rows go to standard output or files, messages to standard error. A failed request is repeated until the hub answers.

Exit codes:
  0  stopped, or everything was read
  1  rows cannot be written
  2  usage error
  3  with --once: the certificate of the hub cannot be verified
  4  refused by the hub`;

/** Returns the program of the collector. `name`: the program in usage lines. */
export function createCollectorProgram(name = 'gatewarden collect'): Command {
  return new Command(name)
    .description('Follow a log export into NDJSON files or standard output')
    .requiredOption('--url <url>', 'origin of the hub')
    .addOption(
      new Option('--endpoint <name>', 'LLM requests or MCP tool calls')
        .choices(['llm', 'mcp'])
        .default('llm'),
    )
    .option('--key-file <file>', 'file with the log-export key')
    .option('--key-stdin', 'read the key from standard input')
    .option('--out <folder>', 'write NDJSON files and the cursor to this folder')
    .option('--state <file>', 'file of the cursor, if rows go to standard output')
    .option('--start-time <time>', 'start of the first export (default: 24 hours ago)')
    .option('--limit <rows>', `rows of a page, 1 to ${ROWS_MAX}`, rowLimit, ROWS_MAX)
    .option('--poll <seconds>', 'seconds between two requests once everything is read', seconds, 60)
    .option('--once', 'exit when everything is read')
    .option('--json', 'errors as {"error":{code,message}} on standard error')
    .option('-q, --quiet', 'no messages about repeated requests')
    .exitOverride()
    .addHelpText('after', HELP);
}

function rowLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= ROWS_MAX) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${ROWS_MAX}.`);
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number of seconds above 0.');
}
