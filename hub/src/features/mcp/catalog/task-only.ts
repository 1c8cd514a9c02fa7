// Tools that can only be called as a task. The gateway has no tasks, so these tools are in no list, and a call is refused with
// the reason instead of the server's error.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, type RpcMessage } from '../protocol/index.ts';
import { isTaskOnly } from '../tool-pinning/index.ts';
import type { Backend } from '../upstream/index.ts';
import { listRequest } from './list-requests.ts';
import { type ServerLists, withSharedCredentials } from './lists.ts';

/** Returns whether a response may be the error of a task-only tool: an unknown method, or an error about tasks. */
export function mayBeTaskError({ error, result }: RpcMessage): boolean {
  if (error?.code === RPC.methodNotFound) return true;
  if (result?.isError !== true || !Array.isArray(result.content)) return false;
  const [first] = result.content as unknown[];
  return isObject(first) && /\btask/i.test(String(first.text).slice(0, WORDS_MAX));
}

const WORDS_MAX = 1_000;

/** Returns an error that names the reason if the tool is task-only. Only a failed call waits for the definition. */
export async function explainTaskError(
  scene: Parameters<typeof listRequest>[0] & { lists: ServerLists },
  backend: Backend,
  tool: unknown,
  answer: RpcMessage,
): Promise<RpcMessage> {
  const listed = await scene.lists.getWithoutDelay(
    withSharedCredentials(listRequest(scene, backend, 'tools/list')),
  );
  const found = listed?.find((item) => isObject(item) && item.name === tool);
  if (!isObject(found) || !isTaskOnly(found)) return answer;
  const message = `The tool "${tool}" is task-only, and the gateway doesn't support tasks.`;
  return { jsonrpc: '2.0', error: { code: RPC.methodNotFound, message } };
}
