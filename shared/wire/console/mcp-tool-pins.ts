// C/mcp/backends/{id}/tools: what a backend's tools were when they were approved, and what they are now.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

const Definition = Nullable(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
);
export const PinnedTool = Type.Object(
  {
    name: Type.String(),
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
