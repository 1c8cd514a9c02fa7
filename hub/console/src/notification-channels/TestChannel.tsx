// Sends a test through the channel and shows its state until it is delivered or has failed.
import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationDeliveryAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { useInvalidateChannels } from './invalidate-channels.ts';

export function TestChannel({ channel }: { channel: NotificationChannel }) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const test = useMutation({
    mutationFn: () =>
      write<NotificationDeliveryAnswer>('POST', `/alert-routes/${channel.route_id}/test`, {
        body: {},
      }),
    onSettled: () => void invalidateChannels(),
  });
  return (
    <Section title={texts.channels.test}>
      <div className="gw-form">
        <p className="gw-flat gw-dimmed">{texts.channels.testText}</p>
        <div>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => {
              test.mutate();
            }}
          >
            {texts.channels.sendTest}
          </Button>
        </div>
        {test.isError ? <ErrorPanel error={test.error} title={texts.channels.testFailed} /> : null}
        <div role="status" data-testid="test-outcome">
          {test.data === undefined ? null : (
            <Outcome
              key={test.data.delivery.delivery_id}
              sent={test.data.delivery}
              channel={channel}
            />
          )}
        </div>
      </div>
    </Section>
  );
}

function Outcome({ sent, channel }: { sent: NotificationDelivery; channel: NotificationChannel }) {
  const path = `/alert-routes/${channel.route_id}/deliveries/${sent.delivery_id}`;
  const answer = useResource<NotificationDeliveryAnswer>('alert-routes', path);
  const delivery = answer.data?.delivery ?? sent;
  return (
    <>
      <div>{describeOutcome(delivery)}</div>
      {/* A hub of the previous release sends no note. */}
      {delivery.test_note ? (
        <div className="gw-dimmed gw-small" data-testid="test-note">
          {delivery.test_note}
        </div>
      ) : null}
    </>
  );
}

function describeOutcome({
  state,
  last_error: error,
  last_status: status,
}: NotificationDelivery): string {
  if (state === 'delivered') {
    return status === 202
      ? texts.channels.testAccepted(status)
      : texts.channels.testArrived(status);
  }
  if (error === null) return texts.channels.testUnderWay;
  return state === 'failed'
    ? texts.channels.testAbandoned(error)
    : texts.channels.testNotYet(error);
}
