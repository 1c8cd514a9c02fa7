// The access matrix: user groups by servers. A cell shows the effective access, and a click changes it.
import type {
  AccessMatrixAnswer,
  CellAccess,
} from '@gatewarden/shared/wire/console/mcp-access-matrix.ts';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { useMayAdminister, useResource, useTenant } from '../api/tenant.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { ChangeAccess } from './ChangeAccess.tsx';
import type { GroupRow, OpenedCell } from './matrix-cell.ts';
import { publishTexts } from './publish-texts.ts';
import './mcp.css';

const words = publishTexts.matrix;

type Matrix = Pick<AccessMatrixAnswer, 'servers' | 'groups' | 'cells'>;

export function AccessMatrix() {
  const answer = useResource<AccessMatrixAnswer>('mcp', '/mcp/access-matrix');
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const matrix = shownOf(answer);
  if (matrix === undefined) return <Waiting answer={answer} />;
  if (matrix.servers.length === 0) return <p className="gw-flat gw-dimmed">{words.empty}</p>;
  const rows: GroupRow[] = [
    ...matrix.groups,
    { group_id: null, name: words.everyoneElse, member_count: null },
  ];
  return (
    <div className="gw-form">
      <Lead hasGroups={matrix.groups.length > 0} />
      {/* The table scrolls horizontally, so the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus */}
      <section className="gw-matrix-frame" aria-label={words.title} tabIndex={0}>
        <div style={tableWidth(matrix.servers.length)}>
          <DataTable
            caption={words.title}
            columns={matrixColumns(matrix, mayAdminister ? setOpened : null)}
            rows={rows}
            rowKey={(row) => row.group_id ?? 'none'}
            rowTestId="access-matrix-row"
          />
        </div>
      </section>
      {opened === null ? null : (
        <ChangeAccess opened={opened} groups={matrix.groups} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}

function Lead({ hasGroups }: { hasGroups: boolean }) {
  const { tenantId } = useTenant();
  if (hasGroups) return <p className="gw-flat gw-dimmed">{words.lead}</p>;
  return (
    <p className="gw-flat gw-dimmed">
      {words.noGroups}{' '}
      <Link to="/t/$tenantId/settings/users/groups" params={{ tenantId }} className="gw-link">
        {words.toGroups}
      </Link>
    </p>
  );
}

const COLUMN_REM = 7;
const tableWidth = (servers: number) =>
  ({ '--gw-matrix-width': `${COLUMN_REM * (servers + 1)}rem` }) as CSSProperties;

function matrixColumns(
  { servers, cells }: Matrix,
  open: ((cell: OpenedCell) => void) | null,
): Column<GroupRow>[] {
  const byKey = new Map(cells.map((cell) => [`${cell.group_id} ${cell.backend_id}`, cell]));
  return [
    {
      key: 'group',
      weight: 1.4,
      header: words.group,
      render: (row) => (
        <div>
          <Name value={row.name} clamp />
          {row.member_count === null ? null : (
            <div className="gw-dimmed gw-small">{words.members(row.member_count)}</div>
          )}
        </div>
      ),
    },
    ...servers.map(
      (server): Column<GroupRow> => ({
        key: server.backend_id,
        header: visible(server.enabled ? server.name : `${server.name} (${words.disabled})`),
        render: (group) => {
          const cell = byKey.get(`${group.group_id} ${server.backend_id}`);
          return cell === undefined ? null : <Cell opened={{ group, server, cell }} open={open} />;
        },
      }),
    ),
  ];
}

const TONES: Record<CellAccess, Tone> = { all: 'good', some: 'warn', none: 'bad' };

function Cell({ opened, open }: { opened: OpenedCell; open: ((cell: OpenedCell) => void) | null }) {
  const { group, server, cell } = opened;
  const { access, known_tools: known, allowed_tools: allowed } = cell;
  const isPartial = access === 'some' && known > 0;
  const text = isPartial ? words.allowedTools(allowed, known) : words.access[access];
  const badge = (
    <Badge tone={TONES[access]} dot>
      {text}
    </Badge>
  );
  // No rule applies to users without a group alone.
  if (open === null || group.group_id === null) return badge;
  return (
    <button
      type="button"
      className="gw-matrix-cell"
      aria-label={words.change(group.name, server.name, text)}
      onClick={() => open(opened)}
    >
      {badge}
    </button>
  );
}
