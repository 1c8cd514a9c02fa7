// A list that is longer than a page, page by page.
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { RPC, RpcError } from './messages.ts';
import type { Owner } from './targets.ts';

const PAGE_ITEMS = 1_000;

/** The page that the client asks for. Throws RpcError where its cursor is none of ours. */
export function pageOf(
  { cursors, owner }: { cursors: CursorSealer; owner: Pick<Owner, 'hash'> },
  method: string,
  field: string,
  items: unknown[],
  params: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const binding = ['mcp-list', owner.hash.toString('hex'), method];
  let from = 0;
  if (params?.cursor !== undefined) {
    const opened = cursors.open(binding, String(params.cursor));
    if (typeof opened !== 'number') throw new RpcError(RPC.invalidParams, 'Invalid cursor.');
    from = opened;
  }
  const end = from + PAGE_ITEMS;
  return {
    [field]: items.slice(from, end),
    ...(end < items.length ? { nextCursor: cursors.seal(binding, end) } : {}),
  };
}
