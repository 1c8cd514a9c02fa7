// C/mcp/backends/{id}/tools: what a backend's tools were when they were approved, and what they are now.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex } from '../common.ts';

const Definition = Nullable(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
);
const names = {
  /** `instructions`: what the server tells every client, approved with its tools. */
  kind: OneOf(['tool', 'instructions'] as const),
  name: Type.String(),
  /** The name at the aggregated URL, if clients would refuse the tool's own; else null. */
  exposed_name: Nullable(Type.String()),
};
export const PinnedTool = Type.Object(
  {
    ...names,
    state: OneOf(['pinned', 'changed', 'new'] as const),
    pinned: Definition,
    /** What it is now, where that differs. */
    seen: Definition,
    seen_at: Nullable(Type.String()),
  },
  { title: 'McpPinnedTool' },
);
export type PinnedTool = Static<typeof PinnedTool>;
export const PinnedTools = Type.Object({
  tools: Type.Array(PinnedTool),
  request_id: Type.String(),
});
export type PinnedTools = Static<typeof PinnedTools>;

/** C/mcp/backends/{id}/tools/listed: what the server lists at this moment, before anybody approves it. */
export const ListedTool = Type.Object(
  {
    ...names,
    /** `gone`: it was approved, and is not listed any more. */
    state: OneOf(['pinned', 'changed', 'new', 'gone'] as const),
    pinned: Definition,
    now: Definition,
  },
  { title: 'McpListedTool' },
);
export type ListedTool = Static<typeof ListedTool>;
export const ListedTools = Type.Object({
  tools: Type.Array(ListedTool),
  /** Of every word of the list: who approves names what they looked at. */
  digest: Sha256Hex,
  request_id: Type.String(),
});
export type ListedTools = Static<typeof ListedTools>;

/** Without a digest the list counts as it is now, looked at or not. */
export const PinToolsQuery = Type.Object(
  { digest: Type.Optional(Sha256Hex) },
  { additionalProperties: false },
);
