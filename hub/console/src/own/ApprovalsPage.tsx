// Calls of the MCP gateway that wait for an approval: the user's own, and all calls for reviewers.
import type { Approval } from '@gatewarden/shared/wire/console/mcp-approvals.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useList, useMayDecide, useReload, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { approvalTexts as t } from './approval-texts.ts';

const TONES: Record<Approval['state'], Tone> = {
  pending: 'warn',
  granted: 'good',
  denied: 'bad',
  used: 'info',
  expired: 'plain',
};

/** The calls of the signed-in user. */
export function OwnApprovalsPage() {
  return <ApprovalsPage of="mine" />;
}

/** The calls of all users, for reviewers. */
export function ToolApprovalsPage() {
  return <ApprovalsPage of="all" />;
}

function ApprovalsPage({ of }: { of: 'mine' | 'all' }) {
  const list = useList<Approval>('mcp', '/mcp/approvals', { of });
  return (
    <Page title={t.title} lead={t.lead}>
      <ListView
        list={list}
        caption={t.title}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowTestId="approval-row"
        empty={<Empty title={t.empty} text={t.emptyText} />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Approval>[] = [
  {
    key: 'tool',
    header: t.tool,
    weight: 1.4,
    render: (row) => (
      <>
        <Name value={row.tool} clamp mono />
        <div className="gw-dimmed gw-small">
          <UserLink value={row.email} clamp={false} />
        </div>
      </>
    ),
  },
  {
    key: 'arguments',
    header: t.arguments,
    weight: 2.4,
    render: (row) => <Json value={row.arguments} label={`${t.arguments}: ${row.tool}`} />,
  },
  {
    key: 'state',
    header: t.state,
    weight: 1.2,
    render: (row) => (
      <>
        <Badge tone={TONES[row.state]} dot>
          {t.states[row.state]}
        </Badge>
        <div className="gw-dimmed gw-small">
          {t.asked} <Time at={row.created_at} />
        </div>
      </>
    ),
  },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    weight: 1.4,
    render: (row) => <Decide approval={row} />,
  },
];

function Decide({ approval }: { approval: Approval }) {
  const { email } = useTenant();
  const mayReview = useMayDecide();
  const write = useTenantWrite();
  const reload = useReload();
  const decide = useMutation({
    mutationFn: (verb: 'grant' | 'deny') =>
      write('POST', `/mcp/approvals/${approval.id}/${verb}`, { body: {} }),
    onSuccess: (_answer, verb) =>
      notifications.show({ color: 'teal', message: verb === 'grant' ? t.granted : t.denied }),
    onError: (error) => notifications.show({ color: 'red', message: noticeOf(error) }),
    onSettled: () => reload('mcp'),
  });
  const isOwn = approval.email.toLowerCase() === email.toLowerCase();
  // The hub has the same rule: the caller approves, or a reviewer other than the caller.
  const mayDecide = approval.by === 'caller' ? isOwn : !isOwn && mayReview;
  if (approval.state !== 'pending') {
    return approval.decided_by === null ? null : <Name value={approval.decided_by} clamp />;
  }
  if (!mayDecide) return <span className="gw-dimmed">{t.reviewerWanted}</span>;
  return (
    <div className="gw-row-actions">
      <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate('grant')}>
        {t.grant}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={decide.isPending}
        onClick={() => decide.mutate('deny')}
      >
        {t.deny}
      </Button>
    </div>
  );
}
