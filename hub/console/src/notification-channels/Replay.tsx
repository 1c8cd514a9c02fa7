// Replays the failed deliveries of a time range, or all of them: after an outage or a loss of the receiver.
import type {
  NotificationChannel,
  NotificationReplayAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { instant } from '../api/query-string.ts';
import { useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { fromLocalInput, toLocalInput } from '../ui/time-text.ts';
import { useInvalidateChannels } from './invalidate-channels.ts';
import { replayTexts as t } from './replay-texts.ts';

const DAY_MS = 86_400_000;
/** Maximum of requests, each for 1,000 deliveries; the history is rarely longer. */
const REQUESTS_MAX = 100;

export function Replay({
  channel,
  onClose,
}: {
  channel: NotificationChannel;
  onClose: () => void;
}) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const [from, setFrom] = useState(() => toLocalInput(new Date(Date.now() - DAY_MS).toISOString()));
  const [to, setTo] = useState(() => toLocalInput(new Date(Date.now() + 60_000).toISOString()));
  const [delivered, setDelivered] = useState(false);
  const range = {
    from: instant(fromLocalInput(from) ?? undefined),
    to: instant(fromLocalInput(to) ?? undefined),
  };
  const isRange = range.from !== undefined && range.to !== undefined && range.from < range.to;
  const replay = useMutation({
    async mutationFn(range: { from: string; to: string; delivered: boolean }) {
      let count = 0;
      let next: string | null = range.from;
      for (let request = 0; next !== null && request < REQUESTS_MAX; request += 1) {
        const answer: NotificationReplayAnswer = await write(
          'POST',
          `/alert-routes/${channel.route_id}/replay`,
          { body: { ...range, from: next } },
        );
        count += answer.replayed;
        next = answer.more_from;
      }
      return count;
    },
    onSettled: () => void invalidateChannels(),
  });
  return (
    <Dialog title={t.title} onClosed={onClose}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            const { from: since, to: until } = range;
            if (since === undefined || until === undefined || !isRange) return;
            replay.mutate({ from: since, to: until, delivered });
          }}
        >
          <p className="gw-dimmed gw-flat">{t.text}</p>
          <TextInput
            type="datetime-local"
            label={t.from}
            required
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t.to}
            required
            value={to}
            error={isRange ? undefined : t.notARange}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Checkbox
            label={t.delivered}
            description={t.deliveredHint}
            checked={delivered}
            onChange={(event) => setDelivered(event.currentTarget.checked)}
          />
          {channel.enabled ? null : <p className="gw-flat">{t.waits}</p>}
          {replay.isError ? (
            <ErrorPanel error={replay.error} title={texts.errors.notSaved} />
          ) : null}
          <div role="status">{replay.data === undefined ? null : t.done(replay.data)}</div>
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {replay.data === undefined ? texts.ui.cancel : texts.ui.close}
            </Button>
            <Button type="submit" loading={replay.isPending} disabled={!isRange}>
              {t.button}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
