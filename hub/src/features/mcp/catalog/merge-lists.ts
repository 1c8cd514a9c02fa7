// The merged list of all backends at the aggregated URL, or the list of a backend at its own URL.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { matchesToolRules } from '../access-policies/index.ts';
import { type ProtocolRevision, paginate, RPC, RpcError, renameItem } from '../protocol/index.ts';
import { isTaskOnly, type ToolPins } from '../tool-pinning/index.ts';
import type { Backend } from '../upstream/index.ts';
import { normalizeItem } from './items.ts';
import { LISTS, type ListSpec } from './list-pages.ts';
import { listRequest } from './list-requests.ts';
import { missingReason, type ServerLists } from './lists.ts';

type ListContext = Parameters<typeof listRequest>[0] & {
  owner: { hash: Buffer };
  cursors: CursorSealer;
  revision: ProtocolRevision;
  isAggregated: boolean;
  backends: readonly Backend[];
  lists: ServerLists;
  pins: ToolPins;
};

/** `_meta` key for the servers that a merged list lacks, with the reason for each. */
const MISSING_META = 'dev.gatewarden/missing';

/** Returns whether the method lists tools, prompts, resources or resource templates. */
export const isListMethod = (method: string) => Object.hasOwn(LISTS, method);

/** Returns a page of the list. A server that fails or is slow is left out and named in `_meta`. Throws RpcError. */
export async function mergeLists(
  context: ListContext,
  method: string,
  params: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  const spec = LISTS[method] as ListSpec;
  if (!context.isAggregated) {
    const [backend] = context.backends;
    if (backend === undefined) {
      throw new RpcError(RPC.upstream, 'Server not found. It may have been deleted.');
    }
    const list = await permittedItems(context, backend, method);
    // The cursor must stay valid when the slug of the backend changes.
    const part = { slug: '', items: list.map((item) => renameItem(item, null, spec.name)) };
    return paginate(context, method, spec, [part], params);
  }
  const missing: { server: string; reason: string }[] = [];
  const parts = await Promise.all(
    context.backends.map(async (backend) => {
      const { slug } = backend;
      try {
        const list = await permittedItems(context, backend, method);
        return { slug, items: list.map((item) => renameItem(item, slug, spec.name)) };
      } catch (error) {
        const reason = missingReason(error);
        if (reason === null) throw error;
        // A server without this kind of list is complete.
        const isUnsupported = (error as RpcError).code === RPC.methodNotFound;
        if (!isUnsupported) missing.push({ server: slug, reason });
        return { slug, items: [] };
      }
    }),
  );
  const page = paginate(context, method, spec, parts, params);
  return missing.length === 0 ? page : { ...page, _meta: { [MISSING_META]: missing } };
}

/** Returns the items of a backend that the caller may use. Tools are checked each, other items as a whole. */
async function permittedItems(
  context: ListContext,
  backend: Backend,
  method: string,
): Promise<unknown[]> {
  const isTools = method === 'tools/list';
  if (!isTools && !backend.evaluateAccess(null).allowed) return [];
  const items = await context.lists.get(listRequest(context, backend, method));
  const shown = isTools ? await context.pins.filterShown(backend, items) : items;
  const isPermitted = (item: Record<string, unknown>) => !isTools || isPermittedTool(backend, item);
  const { field } = LISTS[method] as ListSpec;
  return shown
    .filter(isObject)
    .filter(isPermitted)
    .map((item) => normalizeItem(item, field, context.revision));
}

function isPermittedTool(backend: Backend, tool: Record<string, unknown>): boolean {
  const name = String(tool.name);
  return (
    matchesToolRules(name, backend.tools) &&
    backend.evaluateAccess(name).allowed &&
    !isTaskOnly(tool)
  );
}
