// A notification channel: its settings and state, a test with its outcome, and the delivery history.

import type { DeviceGroupAnswer } from '@gatewarden/shared/wire/console/device-groups.ts';
import type {
  NotificationChannel,
  NotificationChannelAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
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
import { DeleteChannel, EditChannel, RotateSecret } from './ChannelDialogs.tsx';
import { ChannelState } from './ChannelState.tsx';
import { Deliveries } from './Deliveries.tsx';
import { useInvalidateChannels } from './invalidate-channels.ts';
import { Replay } from './Replay.tsx';
import { replayTexts } from './replay-texts.ts';
import { TestChannel } from './TestChannel.tsx';
import '../policies/policies.css';

const page = getRouteApi('/t/$tenantId/settings/notifications/$channelId');

export function NotificationChannelPage() {
  const { tenantId, channelId } = page.useParams();
  const path = `/alert-routes/${encodeURIComponent(channelId)}`;
  const answer = useResource<NotificationChannelAnswer>('alert-routes', path);
  const channel = shownOf(answer)?.route;
  const mayAdminister = useMayAdminister();
  return (
    <Page
      title={channel?.name ?? texts.channels.single}
      crumb={
        <Link to="/t/$tenantId/settings/notifications" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.channels.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {channel ? (
        <div className="gw-stack" key={channel.route_id}>
          <Section
            title={texts.channels.facts}
            aside={mayAdminister ? <Actions channel={channel} /> : undefined}
          >
            <ChannelFacts channel={channel} />
          </Section>
          {mayAdminister ? <TestChannel channel={channel} /> : null}
          <Deliveries channel={channel} />
        </div>
      ) : null}
    </Page>
  );
}

function ChannelFacts({ channel }: { channel: NotificationChannel }) {
  return (
    <Facts>
      <Fact name={texts.channels.kind}>{texts.channels.kinds[channel.kind]}</Fact>
      {channel.format ? (
        <Fact name={texts.channels.format}>{texts.channels.formats[channel.format]}</Fact>
      ) : null}
      <Fact name={texts.channels.target}>
        <Name value={channel.url_hint ?? (channel.to ?? []).join(', ')} />
      </Fact>
      <Fact name={texts.channels.severity}>{texts.channels.severities[channel.min_severity]}</Fact>
      {channel.group_id === null ? null : (
        <Fact name={texts.channels.group}>
          <NamedGroup groupId={channel.group_id} />
        </Fact>
      )}
      <Fact name={texts.channels.digestFact}>
        {channel.digest_after === null
          ? texts.channels.digestNever
          : texts.channels.digestAfter(channel.digest_after)}
      </Fact>
      <Fact name={texts.channels.requestsFact}>
        {channel.access_requests ? texts.channels.requestsSent : texts.channels.requestsNot}
      </Fact>
      <Fact name={texts.channels.state}>
        <ChannelState channel={channel} />
      </Fact>
      <Fact name={texts.channels.lastDelivered}>
        <Time at={channel.health.last_delivered_at} />
      </Fact>
      {channel.previous_secret_until === null ? null : (
        <Fact name={texts.channels.bothSecrets}>
          <Time at={channel.previous_secret_until} full />
        </Fact>
      )}
      <Fact name={texts.channels.changed}>
        <Time at={channel.updated_at} /> · <Name value={channel.updated_by} />
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

function Actions({ channel }: { channel: NotificationChannel }) {
  const [opened, setOpened] = useState<Opened>(null);
  const { tenantId } = page.useParams();
  const navigate = page.useNavigate();
  const close = () => {
    setOpened(null);
  };
  return (
    <div className="gw-row-actions">
      <Switch channel={channel} />
      <Button size="xs" variant="default" onClick={() => setOpened('edit')}>
        {texts.channels.edit}
      </Button>
      {channel.kind === 'webhook' ? (
        <Button size="xs" variant="default" onClick={() => setOpened('rotate')}>
          {texts.channels.rotate}
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => setOpened('replay')}>
        {replayTexts.open}
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpened('delete')}>
        {texts.channels.delete}
      </Button>
      {opened === 'edit' ? <EditChannel channel={channel} onClose={close} /> : null}
      {opened === 'rotate' ? <RotateSecret channel={channel} onClose={close} /> : null}
      {opened === 'replay' ? <Replay channel={channel} onClose={close} /> : null}
      {opened === 'delete' ? (
        <DeleteChannel
          channel={channel}
          onClose={close}
          onDeleted={() =>
            void navigate({ to: '/t/$tenantId/settings/notifications', params: { tenantId } })
          }
        />
      ) : null}
    </div>
  );
}

function Switch({ channel }: { channel: NotificationChannel }) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const turn = useMutation({
    mutationFn: () =>
      write<NotificationChannelAnswer>('PATCH', `/alert-routes/${channel.route_id}`, {
        body: { enabled: !channel.enabled },
        ifMatch: channel.version,
      }),
    onSettled: () => invalidateChannels(),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? texts.channels.conflictText : noticeOf(error),
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
      {channel.enabled ? texts.channels.disable : texts.channels.enable}
    </Button>
  );
}
