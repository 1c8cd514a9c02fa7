// Tools that their server lets be called as a task only. The gateway offers no tasks: such a tool is in no list, and who
// calls it by its name all the same is told why that fails, in place of what the server says of tasks.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, type RpcMessage } from '../protocol/index.ts';
import { isTaskOnly } from '../tool-pinning/index.ts';
import type { Backend } from '../upstream/index.ts';
import { listRequest } from './list-requests.ts';
import { type ServerLists, withSharedCredentials } from './lists.ts';

/** Whether a call's answer may be refused for that: it is no such method, or it went wrong with a word of tasks. */
export function mayBeTaskError({ error, result }: RpcMessage): boolean {
  if (error?.code === RPC.methodNotFound) return true;
  if (result?.isError !== true || !Array.isArray(result.content)) return false;
  const [first] = result.content as unknown[];
  return isObject(first) && /\btask/i.test(String(first.text).slice(0, WORDS_MAX));
}

const WORDS_MAX = 1_000;

/** What the client is told of such an answer. The definition is looked for only here: other calls wait for nothing. */
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
