// The cell that the access matrix passes to its dialog.
import type {
  AccessMatrixAnswer,
  MatrixCell,
} from '@gatewarden/shared/wire/console/mcp-access-matrix.ts';

/** A row of the matrix; `group_id` null: users who are in no group. */
export interface GroupRow {
  group_id: string | null;
  name: string;
  member_count: number | null;
}

/** The cell that is being changed. */
export interface OpenedCell {
  group: GroupRow;
  server: AccessMatrixAnswer['servers'][number];
  cell: MatrixCell;
}
