// `request`: asks for an exception on this device, in the words of who needs it. The service keeps it until the hub has it.
import { askService, NotAllowed } from '../local-api/socket-client.ts';
import { readOwnKey } from '../local-api/user-keys.ts';
import { Unreachable } from '../runtime/errors.ts';
import { readAsked } from '../sync/access-requests.ts';
import { openContextForAnybody, print } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';

interface FiledRequest {
  access_request_id: string;
  waiting: number;
  is_known: boolean;
}

export interface RequestOptions extends GlobalOptions {
  entity?: string;
  process?: string;
  reason: string;
}

/** Runs the command, for the owner of the device or who looks after it. */
export async function request(options: RequestOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const asked = JSON.stringify({
    entity_id: options.entity ?? null,
    process_name: options.process ?? null,
    reason: options.reason,
  });
  readAsked(asked);
  const { dataDir, json } = openContextForAnybody(options, env);
  const answer = await askAsOwner(dataDir, asked);
  if (answer === null) throw new Unreachable(`no agent runs on ${dataDir}`);
  if (!answer.is_known) {
    process.stderr.write(
      `nothing called "${options.process}" is known on this device: see "processes" for names\n`,
    );
  }
  print(json, answer, () => [
    `Asked (${answer.access_request_id}). The answer shows on your page of the console.`,
  ]);
}

/** The control socket needs no key: only root and the service's account can open it. Null if no service runs. */
async function askAsOwner(dataDir: string, asked: string): Promise<FiledRequest | null> {
  const ask = (kind: 'control' | 'status') =>
    askService<FiledRequest>(
      ...([dataDir, kind, 'POST', '/request', readOwnKey(dataDir), asked] as const),
    );
  try {
    return await ask('control');
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return ask('status');
  }
}
