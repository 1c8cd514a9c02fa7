// The rules that calls must meet: guardrails, schemas of arguments, and approvals.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Rule } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import {
  useAllOf,
  useList,
  useMayAdminister,
  useReload,
  useTenant,
  useTenantWrite,
} from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { callRuleTexts as t } from './call-rule-texts.ts';
import '../policies/policies.css';
import { callRulePath, EditCallRule } from './EditCallRule.tsx';

type OpenDialog = { kind: 'edit'; rule: Rule | null } | { kind: 'delete'; rule: Rule } | null;

export function CallRulesPage() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const list = useList<Rule>('mcp', '/mcp/call-rules');
  const backends = useAllOf<Backend>('mcp', '/mcp/backends');
  const serverName = (id: string | null) =>
    id === null ? t.allServers : (backends.find((item) => item.id === id)?.name ?? id);
  const write = useTenantWrite();
  const reload = useReload();
  const close = () => setOpened(null);
  const change = useMutation({
    mutationFn: (rule: Rule) =>
      write('PATCH', callRulePath(rule), {
        body: { enabled: !rule.enabled },
        ifMatch: rule.version,
      }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? texts.ui.changedMeanwhile : noticeOf(error),
      }),
    onSettled: () => reload('mcp'),
  });
  const columns: readonly Column<Rule>[] = [
    { key: 'name', header: t.name, weight: 1.6, render: (row) => <Name value={row.name} clamp /> },
    { key: 'kind', header: t.kind, render: (row) => t.kinds[row.definition.kind] },
    {
      key: 'target',
      header: t.target,
      weight: 1.8,
      render: (row) => (
        <Name
          value={`${serverName(row.backend_id)}: ${row.tool === '*' ? t.anyTool : row.tool}`}
          clamp
        />
      ),
    },
    {
      key: 'state',
      header: t.state,
      render: (row) => (
        <Badge tone={row.enabled ? 'good' : 'plain'} dot>
          {row.enabled ? t.on : t.off}
        </Badge>
      ),
    },
    {
      key: 'actions',
      header: texts.ui.actions,
      hiddenHeader: true,
      align: 'end',
      weight: 2,
      render: (rule) =>
        mayAdminister ? (
          <div className="gw-row-actions">
            <Button size="xs" variant="default" onClick={() => setOpened({ kind: 'edit', rule })}>
              {t.edit}
            </Button>
            <Button size="xs" variant="default" onClick={() => change.mutate(rule)}>
              {rule.enabled ? t.turnOff : t.turnOn}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpened({ kind: 'delete', rule })}>
              {t.delete}
            </Button>
          </div>
        ) : null,
    },
  ];
  return (
    <Page title={t.title} lead={<Lead />}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setOpened({ kind: 'edit', rule: null })}>{t.new}</Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={t.title}
        columns={columns}
        rowKey={(row) => row.id}
        rowTestId="call-rule-row"
        empty={<Empty title={t.empty} text={t.emptyText} />}
      />
      {opened?.kind === 'edit' ? (
        <EditCallRule rule={opened.rule} backends={backends} onClosed={close} />
      ) : null}
      {opened?.kind === 'delete' ? <DeleteCallRule rule={opened.rule} onClosed={close} /> : null}
    </Page>
  );
}

function Lead() {
  const { tenantId } = useTenant();
  return (
    <>
      {t.lead} {t.ofRequests}{' '}
      <Link to="/t/$tenantId/gateway/apps" params={{ tenantId }} className="gw-link">
        {t.toApps}
      </Link>
    </>
  );
}

function DeleteCallRule({ rule, onClosed }: { rule: Rule; onClosed: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmDialog
      title={t.deleteTitle(rule.name)}
      text={t.deleteText}
      action={t.delete}
      done={t.deleted}
      run={() => write('DELETE', callRulePath(rule), { ifMatch: rule.version })}
      onDone={() => reload('mcp')}
      onClose={onClosed}
    />
  );
}
