#!/usr/bin/env node
// `gatewarden gateway run`: a gateway node, configured by the environment. Logs go to standard error as JSON lines.
import { whenNpmEnds } from '@gatewarden/shared/npm-parent.ts';
import { startGateway } from './app.ts';
import { readSettings, SettingsError } from './config/settings.ts';
import { createLog } from './telemetry/log.ts';

const USAGE_EXIT = 2;
const HELP = `Usage: gatewarden gateway run

Runs a gateway node until SIGTERM or SIGINT. The environment configures it:

  GATEWARDEN_NODE_TOKEN              token of the node (gatewarden hub token node)
  GATEWAY_HUB_URL                    origin of the hub
  GATEWAY_HOST, GATEWAY_PORT         address to listen on (127.0.0.1, 8090)
  GATEWAY_DATA_DIR                   folder of the sealed configuration and of the spool (.data/gateway)
  GATEWAY_MANAGED_MODEL_URL          OpenAI-compatible server behind providers of type gw_ai
  GATEWAY_ALLOWED_PRIVATE_NETWORKS   private networks that providers may be in, in CIDR notation

See docs/reference/configuration.md for all variables.
`;

const [command = 'run', ...rest] = process.argv.slice(2);
if (['--help', '-h', 'help'].includes(command)) process.stdout.write(HELP);
else if (command === 'run' && rest.length === 0) await run();
else
  fail(
    `unknown command "${[command, ...rest].join(' ')}"; see "gatewarden gateway --help"`,
    USAGE_EXIT,
  );

async function run(): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const log = createLog(settings.logLevel);
    const gateway = await startGateway(settings, log);
    const stop = async () => {
      log.info({ event: 'stopping' }, 'The gateway node ends its requests.');
      await gateway.stop();
      process.exit(0);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    whenNpmEnds(() => void stop());
  } catch (error) {
    fail((error as Error).message, error instanceof SettingsError ? USAGE_EXIT : 1);
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`gatewarden gateway: ${message.replaceAll('\n', ' ')}\n`);
  process.exit(exitCode);
}
