// Context of every command: the configuration and the data folder, located by the options of the command line.
import type { AgentConfig, BackendConfig } from '../config/agent-config.ts';
import { chooseSources } from '../discovery/scan/source-runner.ts';
import { SOURCES } from '../discovery/sources/index.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';
import { type GlobalOptions, locate } from './config-locator.ts';

export type { GlobalOptions } from './config-locator.ts';

export interface CommandContext {
  config: AgentConfig;
  dataDir: string;
  json: boolean;
  env: NodeJS.ProcessEnv;
}

/** Reads the configuration; throws a `PlainError` where it is invalid. */
export function openContext(options: GlobalOptions, env: NodeJS.ProcessEnv): CommandContext {
  return open(options, env, false);
}

/** The same for what everybody may ask of the running service: the configuration is its owner's alone. */
export function openContextForAnybody(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): CommandContext {
  return open(options, env, true);
}

function open(options: GlobalOptions, env: NodeJS.ProcessEnv, anybody: boolean): CommandContext {
  const { config, dataDir } = locate(options, env, { anybody });
  checkSources(config);
  return { config, dataDir, json: options.json === true, env };
}

/** A name that no source has would only be found out by the first scan. */
function checkSources(config: AgentConfig): void {
  try {
    chooseSources(SOURCES, process.platform, config.sources);
  } catch (error) {
    throw new PlainError(`${config.file ?? 'configuration'}: ${messageOf(error)}`);
  }
}

/** The same configuration, once it is known that a hub is named in it. */
export function requireBackend(config: AgentConfig): AgentConfig & { backend: BackendConfig } {
  if (config.backend === null) {
    throw new PlainError(
      `no hub is configured${config.file === null ? '' : ` in ${config.file}`}: run "enroll" first (backend.base_url is missing)`,
    );
  }
  return { ...config, backend: config.backend };
}

let isPrinted = false;

/** Returns whether the answer of the command was printed: no other document may follow. */
export function hasPrinted(): boolean {
  return isPrinted;
}

/** Prints a JSON document, or lines for a person. */
export function print(json: boolean, document: unknown, lines: () => string[]): void {
  isPrinted = true;
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${lines().join('\n')}\n`);
}

/** Returns a text as a single line, whatever characters a name contains. */
export function singleLine(text: string | null): string {
  return (text ?? '-').replace(/\p{Cc}/gu, '\ufffd');
}
