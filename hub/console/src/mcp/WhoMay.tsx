// The access of each member to a tool with the deciding rule, without a call of the tool.

import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Access } from '@gatewarden/shared/wire/console/mcp-rules.ts';
import { useList } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { UserLink } from '../users/UserLink.tsx';

const words = texts.mcp.access;

export function WhoMay({ server, tool }: { server: Backend; tool: string }) {
  const list = useList<Access>('mcp', `/mcp/backends/${server.id}/access`, { tool });
  return (
    <div className="gw-form">
      <strong>
        <Name value={`${server.name}: ${tool}`} clamp />
      </strong>
      <ListView
        list={list}
        bare
        caption={texts.mcp.tools.whoTitle}
        columns={[
          {
            key: 'email',
            weight: 2,
            header: words.email,
            render: (row) => <UserLink value={row.email} isIdentity />,
          },
          ...DECISION_COLUMNS,
        ]}
        rowKey={(row) => row.email}
        rowTestId="mcp-access-row"
        empty={null}
      />
    </div>
  );
}

export const DECISION_COLUMNS: readonly Column<Access>[] = [
  {
    key: 'allowed',
    header: words.allowed,
    render: (row) => (
      <Badge tone={row.allowed ? 'good' : 'bad'} dot>
        {row.allowed ? words.allowed : words.refused}
      </Badge>
    ),
  },
  {
    key: 'why',
    weight: 2,
    header: words.why,
    render: (row) => (
      <div>
        {words.reasons[row.reason]}
        {row.rule?.reason == null ? null : (
          <div className="gw-dimmed gw-small">
            <Name value={row.rule.reason} clamp />
          </div>
        )}
      </div>
    ),
  },
];
