// The access rules of a server, or of all servers. Administrators add and remove rules.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Rule } from '@gatewarden/shared/wire/console/mcp-rules.ts';
import type { PeopleGroup } from '@gatewarden/shared/wire/console/people-groups.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAllOf, useList, useMayAdminister, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { NewRule } from './NewRule.tsx';

const words = texts.mcp.rules;

export interface Names {
  backend(id: string): string;
  group(id: string): string;
}

/** Returns functions for the names of servers and groups; a deleted record has its id. */
export function useNames(): Names {
  const backends = useAllOf<Backend>('mcp', '/mcp/backends');
  const groups = useAllOf<PeopleGroup>('mcp', '/people-groups');
  return {
    backend: (id) => backends.find((item) => item.id === id)?.name ?? id,
    group: (id) => groups.find((item) => item.people_group_id === id)?.name ?? id,
  };
}

/** `backendId` null: the rules of all servers. */
export function RuleList({ backendId }: { backendId: string | null }) {
  const mayAdminister = useMayAdminister();
  const names = useNames();
  const [isNew, setNew] = useState(false);
  const params = backendId === null ? {} : { backend_id: backendId };
  const list = useList<Rule>('mcp', '/mcp/rules', params);
  return (
    <div className="gw-form">
      {mayAdminister ? (
        <div>
          <Button size="xs" variant="default" onClick={() => setNew(true)}>
            {words.new}
          </Button>
        </div>
      ) : null}
      <ListView
        list={list}
        bare
        caption={words.title}
        columns={ruleColumns(names, mayAdminister)}
        rowKey={(row) => row.rule_id}
        rowTestId="mcp-rule-row"
        empty={<p className="gw-dimmed gw-flat">{words.empty}</p>}
      />
      {isNew ? <NewRule backendId={backendId} onClose={() => setNew(false)} /> : null}
    </div>
  );
}

export function subjectLabel({ subject }: Rule, names: Names): string {
  if (subject.kind === 'everybody') return words.subjects.everybody;
  return subject.kind === 'person' ? subject.email : names.group(subject.group_id);
}

const targetLabel = ({ backend_id: id, tool }: Rule, names: Names) =>
  `${id === null ? words.allServers : names.backend(id)}: ${tool ?? words.anyTool}`;

const ruleColumns = (names: Names, mayAdminister: boolean): readonly Column<Rule>[] => [
  {
    key: 'effect',
    weight: 1.2,
    header: words.effect,
    render: (row) => (
      <Badge tone={row.effect === 'allow' ? 'good' : 'bad'} dot>
        {words.effects[row.effect]}
      </Badge>
    ),
  },
  {
    key: 'who',
    weight: 1.5,
    header: words.subject,
    render: (row) => <Name value={subjectLabel(row, names)} clamp />,
  },
  {
    key: 'target',
    weight: 2,
    header: words.target,
    render: (row) => <Name value={targetLabel(row, names)} clamp />,
  },
  {
    key: 'reason',
    weight: 1.5,
    header: words.reason,
    render: (row) => (
      <div>
        {row.reason === null ? null : <Name value={row.reason} clamp />}
        <div className="gw-dimmed gw-small">
          {words.by} <UserLink value={row.created_by} />
        </div>
      </div>
    ),
  },
  ...(mayAdminister
    ? [
        {
          key: 'actions',
          header: texts.ui.actions,
          hiddenHeader: true,
          align: 'end' as const,
          render: (row: Rule) => <RemoveRule rule={row} names={names} />,
        },
      ]
    : []),
];

function RemoveRule({ rule, names }: { rule: Rule; names: Names }) {
  const write = useTenantWrite();
  const reload = useReload();
  const name = `${words.effects[rule.effect]}, ${subjectLabel(rule, names)}, ${targetLabel(rule, names)}`;
  return (
    <ConfirmButton
      label={words.deleteNamed(name)}
      title={words.deleteTitle}
      name={name}
      text={words.deleteText}
      action={words.delete}
      done={words.deleted}
      run={() => write('DELETE', `/mcp/rules/${rule.rule_id}`, { ifMatch: rule.version })}
      onDone={() => reload('mcp')}
    />
  );
}
