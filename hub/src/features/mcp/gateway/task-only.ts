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
 * What the client is told of a call that the server refused. The definition is looked for only then, and where what only
 * says that something went wrong speaks of tasks: a call that succeeds, or fails otherwise, waits for nothing.
 */
export async function toldOfTasks(
  scene: Scene,
  backend: Backend,
  tool: unknown,
  answer: Rpc,
): Promise<Rpc> {
  const { error, result } = answer;
  const isRefused = error?.code === RPC.methodNotFound;
  if (!isRefused && !(result?.isError === true && speaksOfTasks(result.content))) return answer;
  const listed = await scene.lists.soon(withOneLogin(listAsk(scene, backend, 'tools/list')));
  const found = listed?.find((one) => isObject(one) && one.name === tool);
  if (!isObject(found) || !isTaskOnly(found)) return answer;
  const message = `The tool "${tool}" can be called as a task only, and the gateway offers no tasks.`;
  return { jsonrpc: '2.0', error: { code: RPC.methodNotFound, message } };
}

const WORDS_MAX = 1_000;

function speaksOfTasks(content: unknown): boolean {
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  return isObject(first) && /\btask/i.test(String(first.text).slice(0, WORDS_MAX));
}
