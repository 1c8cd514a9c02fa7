// Runs a declared command: requires an installation, prints the answer, sets the exit code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openProgress } from '@gatewarden/shared/cli/progress.ts';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import { readEnv } from '../platform/config/env.ts';
import { createLog } from '../platform/telemetry/log.ts';
import type { CommandSpec, CommonOptions } from './spec.ts';
import { openTerminal } from './terminal.ts';

/** Runs a command and prints its answer. Throws its failure. */
export async function runCommand<Options extends CommonOptions>(
  spec: CommandSpec<Options>,
  options: Options,
): Promise<void> {
  const env = readEnv();
  const config = readConfig(env);
  // The answer is all that a command prints, unless a log level is configured.
  const log = createLog(env.HUB_LOG_LEVEL === undefined ? 'error' : config.logLevel);
  const mayCreate = spec.creates === true;
  const isNew = !hasInstallation(config);
  if (isNew && !mayCreate && spec.isRemote?.(options) !== true) throw noInstallation(config);
  const isJson = options.json === true;
  const isQuiet = options.quiet === true;
  const progress = openProgress({ isQuiet });
  const work = await spec.load();
  const terminal = openTerminal({ isJson });
  const run = { config, log, stdin: process.stdin, mayCreate, progress, terminal };
  const answer = await work(run, options).finally(() => progress.end());
  if (isNew && hasInstallation(config) && !isQuiet) {
    const created = 'dry_run' in answer ? 'an empty embedded database' : 'a new installation';
    process.stderr.write(
      `hub: created ${created} in ${config.dataDir} (HUB_DATA_DIR, DATABASE_URL)\n`,
    );
  }
  const text = isJson ? JSON.stringify(answer) : await (spec.display ?? displayFields)(answer);
  (spec.output?.(options) ?? process.stdout).write(`${text}\n`);
  if ('ok' in answer && answer.ok === false) process.exitCode = EXIT.negative;
}

function hasInstallation(config: Config): boolean {
  return config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres'));
}

function noInstallation({ dataDir }: Config): ConfigError {
  return new ConfigError(
    `${dataDir} holds no installation (HUB_DATA_DIR, DATABASE_URL): create it with "init" or "serve"`,
  );
}

/** Returns an answer as `name: value` lines; a list has a line for each item. */
function displayFields(answer: object): string {
  return Object.entries(answer)
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}: ${fieldText(value)}`];
      if (value.length === 0) return [`${name}: none`];
      return value.map((item) => `${name}: ${fieldText(item)}`);
    })
    .join('\n');
}

function fieldText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
