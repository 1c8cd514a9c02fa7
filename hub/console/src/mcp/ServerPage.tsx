// An MCP server: its facts, its tools with drift, its access rules, its tokens, and the devices that run it locally.
import type { Backend, BackendAnswer } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useMayAdminister, useReload, useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AdoptionBar } from './AdoptionBar.tsx';
import { ApiTokens } from './ApiTokens.tsx';
import { TestConnection } from './ConnectionTest.tsx';
import { DeviceServerList } from './DeviceServerList.tsx';
import { NextSteps } from './NextSteps.tsx';
import { publishTexts } from './publish-texts.ts';
import { RuleList } from './RuleList.tsx';
import { ServerForm } from './ServerForm.tsx';
import { ServerState } from './ServersPage.tsx';
import { HealthBadge, useServerStatus } from './server-status.tsx';
import { toServerPatch } from './server-values.ts';
import { Tools } from './Tools.tsx';

const words = texts.mcp.server;
const page = getRouteApi('/t/$tenantId/gateway/mcp-servers/$backendId');

export function ServerPage() {
  const { tenantId, backendId } = page.useParams();
  const answer = useResource<BackendAnswer>(
    'mcp',
    `/mcp/backends/${encodeURIComponent(backendId)}`,
    { reveal: 'false' },
  );
  const server = shownOf(answer)?.backend;
  const mayAdminister = useMayAdminister();
  return (
    <Page
      title={server?.name ?? words.title}
      crumb={
        <Link to="/t/$tenantId/gateway/mcp-servers" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.mcp.servers.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {server ? (
        <div className="gw-stack" key={server.id}>
          {mayAdminister ? <NextSteps server={server} /> : null}
          <Section
            title={words.facts}
            aside={mayAdminister ? <Actions server={server} /> : undefined}
          >
            <ServerFacts server={server} />
            {mayAdminister ? <TestConnection path={`/mcp/backends/${server.id}/test`} /> : null}
          </Section>
          <Tools server={server} />
          <Section title={texts.mcp.rules.section}>
            <RuleList backendId={server.id} />
          </Section>
          {mayAdminister ? <ApiTokens server={server} /> : null}
          <DeviceServerList server={server} />
        </div>
      ) : null}
    </Page>
  );
}

function ServerFacts({ server }: { server: Backend }) {
  const { auth } = server;
  return (
    <Facts>
      <Fact name={texts.mcp.servers.state}>
        <ServerState enabled={server.enabled} />
      </Fact>
      <HealthFacts server={server} />
      <Fact name={words.slug}>
        <Name value={server.slug} mono />
      </Fact>
      <Fact name={texts.mcp.servers.url}>
        <Name value={server.url} mono />
      </Fact>
      <Fact name={words.address}>
        <Name value={`${window.location.origin}/${server.slug}/mcp`} mono />
      </Fact>
      <Fact name={texts.mcp.servers.auth}>{texts.mcp.servers.kinds[auth.kind]}</Fact>
      {auth.kind === 'oauth' ? (
        <>
          <Fact name={words.callback}>
            <Name value={`${window.location.origin}/oauth/callback`} mono />
          </Fact>
          {auth.client_id === undefined ? null : (
            <Fact name={words.clientId}>
              <Name value={auth.client_id} mono />
            </Fact>
          )}
          {auth.issuer === undefined ? null : (
            <Fact name={words.issuer}>
              <Name value={auth.issuer} mono />
            </Fact>
          )}
        </>
      ) : null}
      <Fact name={words.drift}>{words.drifts[server.drift]}</Fact>
      {server.tools?.allow === undefined ? null : (
        <Fact name={words.allow}>
          <Name value={server.tools.allow.join(', ')} mono />
        </Fact>
      )}
      {server.tools?.deny === undefined ? null : (
        <Fact name={words.deny}>
          <Name value={server.tools.deny.join(', ')} mono />
        </Fact>
      )}
      <Fact name={texts.mcp.servers.changed}>
        <Time at={server.updated_at} />
      </Fact>
      <Fact name={words.id} wide>
        <Name value={server.id} mono />
      </Fact>
    </Facts>
  );
}

/** Health and last error, which stay empty until the status is loaded. */
function HealthFacts({ server }: { server: Backend }) {
  const t = publishTexts.health;
  const status = useServerStatus().get(server.id);
  if (status === undefined) return null;
  const { checked_at: checkedAt, last_error: error, last_error_at: errorAt } = status.health;
  return (
    <>
      <Fact name={t.column}>
        <HealthBadge state={status.health.state} />
      </Fact>
      {checkedAt === null ? null : (
        <Fact name={t.lastContact}>
          <Time at={checkedAt} />
        </Fact>
      )}
      {error === null || errorAt === null ? null : (
        <Fact name={t.lastError}>
          <Name value={error} /> <Time at={errorAt} />
        </Fact>
      )}
      <Fact name={publishTexts.adoption.column}>
        <AdoptionBar adoption={status.adoption} />
      </Fact>
    </>
  );
}

function Actions({ server }: { server: Backend }) {
  const [isEditing, setEditing] = useState(false);
  const { tenantId } = page.useParams();
  const navigate = page.useNavigate();
  const write = useTenantWrite();
  const reload = useReload();
  const close = () => {
    setEditing(false);
  };
  return (
    <div className="gw-row-actions">
      <Switch server={server} />
      <Button size="xs" variant="default" onClick={() => setEditing(true)}>
        {words.edit}
      </Button>
      <ConfirmButton
        title={words.deleteTitle}
        name={server.name}
        text={words.deleteText}
        action={words.delete}
        done={words.deleted}
        run={() => write('DELETE', `/mcp/backends/${server.id}`, { ifMatch: server.version })}
        onDone={() => {
          void navigate({ to: '/t/$tenantId/gateway/mcp-servers', params: { tenantId } });
          reload('mcp');
        }}
      />
      {isEditing ? <EditServer server={server} onClose={close} /> : null}
    </div>
  );
}

function EditServer({ server, onClose }: { server: Backend; onClose: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <Dialog title={words.editTitle} wide onClosed={onClose}>
      {(close) => (
        <ServerForm
          original={server}
          submitText={words.store}
          onCancel={close}
          save={async (values, standing) => {
            const current = standing ?? server;
            await write('PATCH', `/mcp/backends/${current.id}`, {
              body: toServerPatch(values, current),
              ifMatch: current.version,
            });
            notifications.show({ color: 'teal', message: words.stored });
            reload('mcp');
            close();
          }}
        />
      )}
    </Dialog>
  );
}

function Switch({ server }: { server: Backend }) {
  const write = useTenantWrite();
  const reload = useReload();
  const turn = useMutation({
    mutationFn: () =>
      write('PATCH', `/mcp/backends/${server.id}`, {
        body: { enabled: !server.enabled },
        ifMatch: server.version,
      }),
    onSettled: () => reload('mcp'),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? words.conflict : noticeOf(error),
      }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={turn.isPending}
      onClick={() => {
        turn.mutate();
      }}
    >
      {server.enabled ? words.disable : words.enable}
    </Button>
  );
}
