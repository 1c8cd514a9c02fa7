// One alert route: what it is, whether it works, a test with its outcome, and what became of each delivery.
import type { AlertRoute, AlertRouteAnswer } from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { DeviceGroupAnswer } from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { GroupLink } from '../groups/GroupLink.tsx';
import { texts } from '../texts.ts';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { useAfterRoute } from './after-route.ts';
import { Deliveries } from './Deliveries.tsx';
import { Replay } from './Replay.tsx';
import { DeleteRoute, EditRoute, RotateSecret } from './RouteDialogs.tsx';
import { RouteState } from './RouteState.tsx';
import { replayTexts } from './replay-texts.ts';
import { TestRoute } from './TestRoute.tsx';
import '../decisions/decisions.css';

const page = getRouteApi('/t/$tenantId/settings/notifications/$routeId');

export function AlertRoutePage() {
  const { tenantId, routeId } = page.useParams();
  const path = `/alert-routes/${encodeURIComponent(routeId)}`;
  const answer = useResource<AlertRouteAnswer>('alert-routes', path);
  const route = shownOf(answer)?.route;
  const mayAdminister = useMayAdminister();
  return (
    <Page
      title={route?.name ?? texts.routes.single}
      crumb={
        <Link to="/t/$tenantId/settings/notifications" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.routes.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {route ? (
        <div className="gw-stack" key={route.route_id}>
          <Section
            title={texts.routes.facts}
            aside={mayAdminister ? <Actions route={route} /> : undefined}
          >
            <RouteFacts route={route} />
          </Section>
          {mayAdminister ? <TestRoute route={route} /> : null}
          <Deliveries route={route} />
        </div>
      ) : null}
    </Page>
  );
}

function RouteFacts({ route }: { route: AlertRoute }) {
  return (
    <Facts>
      <Fact name={texts.routes.kind}>{texts.routes.kinds[route.kind]}</Fact>
      {route.format ? (
        <Fact name={texts.routes.format}>{texts.routes.formats[route.format]}</Fact>
      ) : null}
      <Fact name={texts.routes.target}>
        <Name value={route.url_hint ?? (route.to ?? []).join(', ')} />
      </Fact>
      <Fact name={texts.routes.severity}>{texts.routes.severities[route.min_severity]}</Fact>
      {route.group_id === null ? null : (
        <Fact name={texts.routes.group}>
          <NamedGroup groupId={route.group_id} />
        </Fact>
      )}
      <Fact name={texts.routes.digestFact}>
        {route.digest_after === null
          ? texts.routes.digestNever
          : texts.routes.digestAfter(route.digest_after)}
      </Fact>
      <Fact name={texts.routes.requestsFact}>
        {route.access_requests ? texts.routes.requestsTold : texts.routes.requestsNot}
      </Fact>
      <Fact name={texts.routes.state}>
        <RouteState route={route} />
      </Fact>
      <Fact name={texts.routes.lastDelivered}>
        <Time at={route.health.last_delivered_at} />
      </Fact>
      {route.previous_secret_until === null ? null : (
        <Fact name={texts.routes.bothSecrets}>
          <Time at={route.previous_secret_until} full />
        </Fact>
      )}
      <Fact name={texts.routes.changed}>
        <Time at={route.updated_at} /> · <Name value={route.updated_by} />
      </Fact>
    </Facts>
  );
}

function NamedGroup({ groupId }: { groupId: string }) {
  const path = `/device-groups/${groupId}`;
  const group = useResource<DeviceGroupAnswer>('device-groups', path, {}, 'names');
  return <GroupLink groupId={groupId} name={group.data?.group.name ?? groupId} />;
}

type Opened = 'edit' | 'rotate' | 'replay' | 'delete' | null;

function Actions({ route }: { route: AlertRoute }) {
  const [opened, setOpened] = useState<Opened>(null);
  const { tenantId } = page.useParams();
  const navigate = page.useNavigate();
  const close = () => {
    setOpened(null);
  };
  return (
    <div className="gw-row-actions">
      <Switch route={route} />
      <Button size="xs" variant="default" onClick={() => setOpened('edit')}>
        {texts.routes.edit}
      </Button>
      {route.kind === 'webhook' ? (
        <Button size="xs" variant="default" onClick={() => setOpened('rotate')}>
          {texts.routes.rotate}
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => setOpened('replay')}>
        {replayTexts.open}
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpened('delete')}>
        {texts.routes.delete}
      </Button>
      {opened === 'edit' ? <EditRoute route={route} onClose={close} /> : null}
      {opened === 'rotate' ? <RotateSecret route={route} onClose={close} /> : null}
      {opened === 'replay' ? <Replay route={route} onClose={close} /> : null}
      {opened === 'delete' ? (
        <DeleteRoute
          route={route}
          onClose={close}
          onDeleted={() =>
            void navigate({ to: '/t/$tenantId/settings/notifications', params: { tenantId } })
          }
        />
      ) : null}
    </div>
  );
}

function Switch({ route }: { route: AlertRoute }) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const turn = useMutation({
    mutationFn: () =>
      write<AlertRouteAnswer>('PATCH', `/alert-routes/${route.route_id}`, {
        body: { enabled: !route.enabled },
        ifMatch: route.version,
      }),
    onSettled: () => afterRoute(),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? texts.routes.conflictText : noticeOf(error),
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
      {route.enabled ? texts.routes.disable : texts.routes.enable}
    </Button>
  );
}
