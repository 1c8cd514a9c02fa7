// C/mcp/backends/{id}/tools: the approved definitions of a backend's tools, and their present definitions.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex } from '../common.ts';

const Definition = Nullable(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
);
const names = {
  /** `instructions`: the server's instructions for clients, approved together with its tools. */
  kind: OneOf(['tool', 'instructions'] as const),
  name: Type.String(),
  /** The name at the aggregated URL, if clients would reject the tool's own name; else null. */
  exposed_name: Nullable(Type.String()),
};
export const PinnedTool = Type.Object(
  {
    ...names,
    state: OneOf(['pinned', 'changed', 'new'] as const),
    pinned: Definition,
    /** The present definition, if it differs. */
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

/** C/mcp/backends/{id}/tools/listed: the server's present list, before its approval. */
export const ListedTool = Type.Object(
  {
    ...names,
    /** `gone`: the tool was approved and is no longer listed. */
    state: OneOf(['pinned', 'changed', 'new', 'gone'] as const),
    pinned: Definition,
    now: Definition,
  },
  { title: 'McpListedTool' },
);
export type ListedTool = Static<typeof ListedTool>;
export const ListedTools = Type.Object({
  tools: Type.Array(ListedTool),
  /** The digest of the complete list. An approval contains the digest of the list that the user saw. */
  digest: Sha256Hex,
  request_id: Type.String(),
});
export type ListedTools = Static<typeof ListedTools>;

/** Without a digest, the approval covers the present list, whether or not the user saw it. */
export const PinToolsQuery = Type.Object(
  { digest: Type.Optional(Sha256Hex) },
  { additionalProperties: false },
);
