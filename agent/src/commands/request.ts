// `request`: asks for an exception on this device, in the words of who needs it. The service keeps it until the hub has it.
import { askService } from '../control/client.ts';
import { PlainError } from '../errors.ts';
import { readAsked } from '../sync/access-requests.ts';
import { openContextForAnybody, print } from './context.ts';
import type { GlobalOptions } from './locate.ts';

export interface RequestOptions extends GlobalOptions {
  entity?: string;
  process?: string;
  reason: string;
}

/** Runs the command; anybody at this device may. */
export async function request(options: RequestOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const asked = JSON.stringify({
    entity_id: options.entity ?? null,
    process_name: options.process ?? null,
    reason: options.reason,
  });
  readAsked(asked);
  const { dataDir, json } = openContextForAnybody(options, env);
  const answer = await askService<{ access_request_id: string; waiting: number }>(
    dataDir,
    'status',
    'POST',
    '/request',
    null,
    asked,
  );
  if (answer === null) throw new PlainError(`no agent runs on ${dataDir}`);
  print(json, answer, () => [
    `Asked (${answer.access_request_id}). The answer shows on your page of the console.`,
  ]);
}
