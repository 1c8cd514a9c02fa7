// `quarantine`: lists quarantined items of this device, from the service or straight from the records.

import { describeAll, type QuarantinedThing } from '../enforcement/quarantine/index.ts';
import { readRecords } from '../enforcement/quarantine/quarantine-records.ts';
import { askService } from '../local-api/socket-client.ts';
import { PlainError } from '../runtime/errors.ts';
import { openContext, print } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { releaseWithoutService } from './control-commands.ts';

export interface QuarantineOptions extends GlobalOptions {
  /** An installer does this before it removes the agent: afterwards nothing could be restored. */
  releaseAll?: boolean;
}

const COLUMNS = {
  kind: (row: QuarantinedThing) => row.kind,
  name: (row: QuarantinedThing) => row.name,
  path: (row: QuarantinedThing) => row.path,
  since: (row: QuarantinedThing) => row.since,
  'kept in': (row: QuarantinedThing) => row.kept,
  problem: (row: QuarantinedThing) => row.problem,
};

/** Prints a line for each item: its kind and path, since when, and the reason why it cannot be restored. */
export async function showQuarantine(
  options: QuarantineOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { dataDir, json } = openContext(options, env);
  if (options.releaseAll === true) await releaseWithoutService(dataDir);
  const answer = await askService<{ quarantined: QuarantinedThing[] }>(
    dataDir,
    'control',
    'GET',
    '/quarantine',
  );
  const quarantined = answer?.quarantined ?? describeAll(readRecords(dataDir));
  const { renderTable } = await import('@gatewarden/shared/cli/table.ts');
  print(json, { quarantined }, () => [
    ...(quarantined.length === 0 ? [] : [renderTable(COLUMNS, quarantined)]),
    `${quarantined.length} in quarantine`,
  ]);
  // An installer that is about to take everything away must know.
  if (options.releaseAll === true && quarantined.length > 0) {
    throw new PlainError(`${quarantined.length} could not be put back`);
  }
}
