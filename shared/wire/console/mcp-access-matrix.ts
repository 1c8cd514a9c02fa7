// C/mcp/access-matrix: the effective access of each user group to each server, and the change of a cell.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { Rule } from './mcp-rules.ts';

/** All tools, some tools, or none. */
export const CELL_ACCESS = ['all', 'some', 'none'] as const;
export type CellAccess = (typeof CELL_ACCESS)[number];

export const MatrixCell = Type.Object(
  {
    /** Null: users who are in no group. */
    group_id: Nullable(Uuid),
    backend_id: Uuid,
    access: OneOf(CELL_ACCESS),
    /** The number of known tools that are allowed, and of all known tools; zero before any review. */
    allowed_tools: Type.Integer(),
    known_tools: Type.Integer(),
    /** Whether no access rule decides about the server as a whole. */
    is_default: Type.Boolean(),
  },
  { title: 'McpMatrixCell' },
);
export type MatrixCell = Static<typeof MatrixCell>;

export const AccessMatrixAnswer = Type.Object({
  servers: Type.Array(
    Type.Object({
      backend_id: Uuid,
      name: Type.String(),
      enabled: Type.Boolean(),
      /** Access rules for single users, which the matrix does not show. */
      user_rules: Type.Integer(),
    }),
  ),
  /** The first 200 groups by name. */
  groups: Type.Array(
    Type.Object({ group_id: Uuid, name: Type.String(), member_count: Type.Integer() }),
  ),
  cells: Type.Array(MatrixCell),
  request_id: Type.String(),
});
export type AccessMatrixAnswer = Static<typeof AccessMatrixAnswer>;

/** `only`: all tools by a rule for this group, so that users without a rule lose access. */
export const CELL_GOALS = ['all', 'none', 'only'] as const;
export type CellGoal = (typeof CELL_GOALS)[number];

export const MatrixChange = Type.Object(
  { group_id: Uuid, backend_id: Uuid, access: OneOf(CELL_GOALS) },
  { additionalProperties: false, title: 'McpMatrixChange' },
);
export type MatrixChange = Static<typeof MatrixChange>;

export const MatrixChangePreview = Type.Object({
  /** False: other access rules decide about the cell, and the list of rules has to be edited. */
  is_possible: Type.Boolean(),
  /** Cells of the server whose access changes; `group_id` null: users who are in no group. */
  changes: Type.Array(
    Type.Object({
      group_id: Nullable(Uuid),
      from: OneOf(CELL_ACCESS),
      to: OneOf(CELL_ACCESS),
    }),
  ),
  request_id: Type.String(),
});
export type MatrixChangePreview = Static<typeof MatrixChangePreview>;

export const MatrixChangeAnswer = Type.Object({
  created: Type.Array(Rule),
  /** Ids of the deleted access rules. */
  deleted: Type.Array(Uuid),
  request_id: Type.String(),
});
