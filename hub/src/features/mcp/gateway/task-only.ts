// Tools that their server lets be called as a task only. The gateway offers no tasks: such a tool is in no list, and who
// calls it by its name all the same is told why that fails, in place of what the server says of tasks.
import { isObject } from '../../../platform/http/json.ts';
import { listAsk } from './listing.ts';
import { withOneLogin } from './lists.ts';
import { RPC, type Rpc } from './messages.ts';
import type { Scene } from './methods.ts';
import type { Backend } from './targets.ts';

/** Whether the definition says so. */
export const isTaskOnly = ({ execution }: Record<string, unknown>): boolean =>
  isObject(execution) && execution.taskSupport === 'required';

/**
 * What the client is told of a call that the server refused. The definition is looked for only then: a call that succeeds
 * waits for nothing. Of an answer that only says that something went wrong it must be at hand.
 */
export async function toldOfTasks(
  scene: Scene,
  backend: Backend,
  tool: unknown,
  answer: Rpc,
): Promise<Rpc> {
  const isRefused = answer.error?.code === RPC.methodNotFound;
  if (!isRefused && answer.result?.isError !== true) return answer;
  const asking = withOneLogin(listAsk(scene, backend, 'tools/list'));
  const { lists } = scene;
  const listed = (await lists.lately(asking)) ?? (isRefused ? await lists.soon(asking) : null);
  const found = listed?.find((one) => isObject(one) && one.name === tool);
  if (!isObject(found) || !isTaskOnly(found)) return answer;
  const message = `The tool "${tool}" can be called as a task only, and the gateway offers no tasks.`;
  return { jsonrpc: '2.0', error: { code: RPC.methodNotFound, message } };
}
