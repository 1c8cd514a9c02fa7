// C/own/views: named list filters of a user, visible to this user only.
import { type Static, Type } from 'typebox';
import { Dictionary, NameText, OneOf, Uuid } from '../common.ts';

export const VIEW_LISTS = [
  'applications',
  ...(['alerts', 'enforcement', 'llm_requests', 'tool_calls', 'audit'] as const),
] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

const Search = Type.Record(
  Type.String({ pattern: '^[a-z_]{1,32}$' }),
  Type.String({ minLength: 1, maxLength: 200 }),
  { maxProperties: 16, additionalProperties: false },
);

export const SavedView = Type.Object({
  view_id: Uuid,
  list: OneOf(VIEW_LISTS),
  name: Type.String(),
  search: Dictionary(Type.String()),
});
export type SavedView = Static<typeof SavedView>;

export const SavedViewsAnswer = Type.Object({
  items: Type.Array(SavedView),
  request_id: Type.String(),
});
export type SavedViewsAnswer = Static<typeof SavedViewsAnswer>;

/** A view with an existing name replaces its filters. */
export const SavedViewInput = Type.Object(
  {
    list: OneOf(VIEW_LISTS),
    name: NameText(64),
    search: Search,
  },
  { additionalProperties: false },
);

export const SavedViewAnswer = Type.Object({ view: SavedView, request_id: Type.String() });
export type SavedViewAnswer = Static<typeof SavedViewAnswer>;

export const SavedViewDeletedAnswer = Type.Object({ view_id: Uuid, request_id: Type.String() });
