// A user: devices, alerts, gateway use, access requests, groups and sign-in, each with the way to its list.
import {
  IDENTITY_ALERTS_MOST,
  IDENTITY_USE_DAYS,
  type IdentityAnswer,
} from '@gatewarden/shared/wire/console/identity.ts';
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMayAdminister, useResource, useTenant } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { ErasePerson } from '../devices/ErasePerson.tsx';
import { eraseTexts } from '../devices/erase-texts.ts';
import { usd } from '../logs/usd.ts';
import { Sessions } from '../settings/Sessions.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { userTexts as words } from './texts.ts';
import { UserApps } from './UserApps.tsx';

const route = getRouteApi('/t/$tenantId/users/$email');

type Identity = IdentityAnswer['identity'];

export function UserPage() {
  const { tenantId, email } = route.useParams();
  const mayAdminister = useMayAdminister();
  const answer = useResource<IdentityAnswer>('people', '/identity', { email });
  const identity = shownOf(answer)?.identity;
  return (
    <Page
      title={identity?.email ?? email}
      crumb={
        mayAdminister ? (
          <Link to="/t/$tenantId/settings/users" params={{ tenantId }} className="gw-crumb">
            <CrumbText>{words.users}</CrumbText>
          </Link>
        ) : undefined
      }
      badges={identity?.account ? <AccountBadges account={identity.account} /> : undefined}
    >
      <Waiting answer={answer} />
      {identity === undefined ? null : <Known key={identity.email} identity={identity} />}
    </Page>
  );
}

type Account = NonNullable<Identity['account']>;

function AccountBadges({ account }: { account: Account }) {
  return (
    <>
      <Badge tone="info">{account.role}</Badge>
      <Badge tone={account.state === 'enabled' ? 'good' : 'plain'} dot>
        {words.states[account.state]}
      </Badge>
    </>
  );
}

function Known({ identity }: { identity: Identity }) {
  const mayAdminister = useMayAdminister();
  return (
    <div className="gw-stack">
      <Glance identity={identity} />
      <Section title={words.devices}>
        {identity.devices.length === 0 ? (
          <p className="gw-dimmed gw-flat">{words.devicesEmpty}</p>
        ) : (
          <DataTable
            caption={words.devices}
            columns={DEVICE_COLUMNS}
            rows={identity.devices}
            rowKey={(row) => row.device_id}
            rowTestId="user-device-row"
          />
        )}
      </Section>
      {identity.devices.length === 0 ? null : <UserApps identity={identity} />}
      {identity.account === null ? null : (
        <Section title={words.sessions}>
          <Sessions
            path="/sessions"
            userId={identity.account.user_id}
            emptyText={words.sessionsEmpty}
            bare
          />
        </Section>
      )}
      {mayAdminister ? <Erase email={identity.email} /> : null}
    </div>
  );
}

function Glance({ identity }: { identity: Identity }) {
  const { email, devices, llm, mcp, account } = identity;
  const { tenantId } = useTenant();
  const mayAdminister = useMayAdminister();
  const params = { tenantId };
  return (
    <Section title={words.facts}>
      <Facts>
        <Fact name={words.devices}>
          <Link
            to="/t/$tenantId/devices"
            params={params}
            search={{ query: email }}
            className="gw-link"
          >
            <Num>{devices.length}</Num>
          </Link>
        </Fact>
        <Fact name={words.apps}>
          <Link
            to="/t/$tenantId/inventory/all"
            params={params}
            search={{ subscriber_id: email }}
            className="gw-link"
          >
            <Num>{identity.apps}</Num>
          </Link>
        </Fact>
        <Fact name={words.openAlerts}>
          <OpenAlerts identity={identity} />
        </Fact>
        <Fact name={words.requests}>
          <AccessRequests identity={identity} />
        </Fact>
        <Fact name={words.llm(IDENTITY_USE_DAYS)}>
          <Link
            to="/t/$tenantId/activity/llm-requests"
            params={params}
            search={{ user: email }}
            className="gw-link"
          >
            {words.llmRequests(llm.requests)}
          </Link>{' '}
          <span className="gw-dimmed">{words.llmUse(usd(llm.cost_usd), llm.blocked)}</span>
        </Fact>
        <Fact name={words.mcp(IDENTITY_USE_DAYS)}>
          <Link
            to="/t/$tenantId/activity/tool-calls"
            params={params}
            search={{ user: email }}
            className="gw-link"
          >
            {words.toolCalls(mcp.calls)}
          </Link>{' '}
          <span className="gw-dimmed">{words.toolUse(mcp.blocked)}</span>
        </Fact>
        <Fact name={words.groups}>
          <Groups groups={identity.groups} />
        </Fact>
        {mayAdminister ? (
          <Fact name={words.state}>
            {account === null ? words.noAccount : <SignIn email={email} account={account} />}
          </Fact>
        ) : null}
        <Fact name={texts.mcp.access.checkTitle}>
          <Link
            to="/t/$tenantId/gateway/mcp-access"
            params={params}
            search={{ email }}
            className="gw-link"
          >
            {words.access}
          </Link>
        </Fact>
      </Facts>
    </Section>
  );
}

function Num({ children }: { children: number }): ReactNode {
  return <span className="gw-num">{children.toLocaleString('en-GB')}</span>;
}

function OpenAlerts({ identity: { email, open_alerts: open } }: { identity: Identity }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/activity/alerts"
      params={{ tenantId }}
      search={{ subscriber_id: email, state: 'open' }}
      className="gw-link"
    >
      <span className="gw-num">
        {open >= IDENTITY_ALERTS_MOST ? `${IDENTITY_ALERTS_MOST}+` : String(open)}
      </span>
    </Link>
  );
}

function AccessRequests({ identity: { email, access_requests } }: { identity: Identity }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/policies/access-requests"
      params={{ tenantId }}
      search={{ subscriber_id: email }}
      className="gw-link"
    >
      {words.requestCount(access_requests.open, access_requests.all)}
    </Link>
  );
}

/** The lists of a device: its alerts and its access requests. */
function DeviceLists({ deviceId }: { deviceId: string }) {
  const { tenantId } = useTenant();
  const search = { device_id: deviceId };
  return (
    <div className="gw-row-actions gw-links">
      <Link
        to="/t/$tenantId/activity/alerts"
        params={{ tenantId }}
        search={{ ...search, state: 'open' }}
        className="gw-link"
      >
        {words.alertsOf}
      </Link>
      <Link
        to="/t/$tenantId/policies/access-requests"
        params={{ tenantId }}
        search={search}
        className="gw-link"
      >
        {words.requestsOf}
      </Link>
    </div>
  );
}

function Groups({ groups }: { groups: Identity['groups'] }) {
  const { tenantId } = useTenant();
  if (groups.length === 0) return <span className="gw-dimmed">{words.noGroups}</span>;
  return (
    <Link to="/t/$tenantId/settings/users/groups" params={{ tenantId }} className="gw-link">
      <Name value={groups.map(({ name }) => name).join(', ')} />
    </Link>
  );
}

function SignIn({ email, account }: { email: string; account: Account }) {
  const { tenantId } = useTenant();
  return (
    <>
      {account.role} · {words.lastSignIn}: <Time at={account.last_sign_in_at} />
      <div>
        <Link
          to="/t/$tenantId/settings/users"
          params={{ tenantId }}
          search={{ query: email }}
          className="gw-link"
        >
          {words.manage}
        </Link>
      </div>
    </>
  );
}

function Erase({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.erase}>
      <p className="gw-flat gw-dimmed">{words.eraseText}</p>
      <div className="gw-form-end">
        <Button variant="default" color="red" onClick={() => setOpen(true)}>
          {eraseTexts.open}
        </Button>
      </div>
      {isOpen ? <ErasePerson person={email} onClosed={() => setOpen(false)} /> : null}
    </Section>
  );
}

const DEVICE_COLUMNS: readonly Column<Identity['devices'][number]>[] = [
  {
    key: 'hostname',
    weight: 2,
    header: words.hostname,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  { key: 'platform', header: words.platform, render: (row) => texts.platforms[row.platform] },
  {
    key: 'installed',
    header: words.installed,
    align: 'end',
    render: (row) => <span className="gw-num">{row.entity_count.toLocaleString('en-GB')}</span>,
  },
  { key: 'seen', header: words.lastSeen, render: (row) => <Time at={row.last_seen_at} /> },
  {
    key: 'lists',
    weight: 1.6,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <DeviceLists deviceId={row.device_id} />,
  },
];
