// The keys of an app, with dialogs that issue a key, reveal it, set its expiration and revoke it.
import type { AppKey, AppKeyIssued } from '@gatewarden/shared/wire/management/keys.ts';
import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { useList, useMayAdminister, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel, noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { Time } from '../ui/Time.tsx';
import { appPath, secondsToIso } from './app-path.ts';
import { formatLocalTime, parseEndTime } from './end-time.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.keys;
export const KEY_TONES: Record<AppKey['status'], Tone> = {
  active: 'good',
  expired: 'plain',
  revoked: 'bad',
};

type OpenDialog = { kind: 'new' } | { kind: 'secret'; key: AppKeyIssued } | KeyDialog | null;
type KeyDialog = { kind: 'end' | 'revoke'; key: AppKey };

export function AppKeys({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const list = useList<AppKey>('gateway', '/gateway/app/keys', { app_name: app.name });
  const close = () => setOpened(null);
  return (
    <Section
      title={t.title}
      aside={
        mayAdminister ? (
          <Button size="xs" onClick={() => setOpened({ kind: 'new' })}>
            {t.new}
          </Button>
        ) : undefined
      }
    >
      <ListView
        bare
        list={list}
        caption={t.title}
        rowKey={(row) => row.key_id}
        rowTestId="app-key-row"
        empty={<Empty title={t.empty} />}
        columns={[
          ...COLUMNS,
          {
            key: 'actions',
            header: texts.ui.actions,
            hiddenHeader: true,
            align: 'end',
            weight: 2.2,
            render: (key) =>
              mayAdminister && key.status === 'active' ? (
                <KeyActions app={app} appKey={key} open={setOpened} />
              ) : null,
          },
        ]}
      />
      {opened?.kind === 'new' ? <NewKey app={app} onClosed={close} /> : null}
      {opened?.kind === 'secret' ? (
        <Dialog title={opened.key.name} onClosed={close}>
          {(done) => (
            <SecretBox
              label={t.secret}
              hint={t.secretHint}
              note={t.revealed}
              secret={opened.key.secret}
              onDone={done}
            />
          )}
        </Dialog>
      ) : null}
      {opened?.kind === 'end' ? <EndKey app={app} appKey={opened.key} onClosed={close} /> : null}
      {opened?.kind === 'revoke' ? (
        <RevokeKey app={app} appKey={opened.key} onClosed={close} />
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<AppKey>[] = [
  { key: 'name', header: t.name, weight: 1.6, render: (row) => <Name value={row.name} clamp /> },
  {
    key: 'fingerprint',
    header: t.fingerprint,
    render: (row) => <Name value={row.fingerprint} mono />,
  },
  {
    key: 'status',
    header: t.status,
    render: (row) => (
      <Badge tone={KEY_TONES[row.status]} dot>
        {t.statuses[row.status]}
      </Badge>
    ),
  },
  {
    key: 'used',
    header: t.used,
    weight: 1.2,
    render: (row) => (
      <>
        <Time at={secondsToIso(row.last_used_at)} />
        {row.last_used_from === null ? null : (
          <div className="gw-dimmed gw-small">{t.from(row.last_used_from)}</div>
        )}
      </>
    ),
  },
  {
    key: 'ends',
    header: t.ends,
    render: (row) => (row.expires_at === null ? t.never : <Time at={row.expires_at} />),
  },
];

const keyPath = (app: GatewayApp, appKey: AppKey, rest = '') =>
  appPath(app.name, `/keys/${appKey.key_id}${rest}`);

interface KeyProps {
  app: GatewayApp;
  appKey: AppKey;
}

function KeyActions({ app, appKey, open }: KeyProps & { open: (next: OpenDialog) => void }) {
  const write = useTenantWrite();
  const reveal = useMutation({
    mutationFn: () =>
      write<{ key: AppKeyIssued }>('POST', keyPath(app, appKey, '/reveal'), { body: {} }),
    onSuccess: ({ key }) => open({ kind: 'secret', key }),
    onError: (error) => notifications.show({ color: 'red', message: noticeOf(error) }),
  });
  return (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant="default"
        loading={reveal.isPending}
        onClick={() => reveal.mutate()}
      >
        {t.reveal}
      </Button>
      <Button size="xs" variant="default" onClick={() => open({ kind: 'end', key: appKey })}>
        {t.setEnd}
      </Button>
      <Button size="xs" variant="default" onClick={() => open({ kind: 'revoke', key: appKey })}>
        {t.revoke}
      </Button>
    </div>
  );
}

function NewKey({ app, onClosed }: { app: GatewayApp; onClosed: () => void }) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const idempotency = useIdempotencyKey();
  const [name, setName] = useState('');
  const [end, setEnd] = useState('');
  const make = useMutation({
    mutationFn: () =>
      write<{ key: AppKeyIssued }>('POST', appPath(app.name, '/keys'), {
        idempotencyKey: idempotency.key,
        body: { name, expires_at: parseEndTime(end) },
      }),
    onError: idempotency.failed,
    onSettled: () => reloadGateway(),
  });
  const isPast = parseEndTime(end) === undefined;
  return (
    <Dialog title={t.new} onClosed={onClosed}>
      {(close) =>
        make.data ? (
          <SecretBox
            label={t.secret}
            hint={t.secretHint}
            note={t.once}
            secret={make.data.key.secret}
            onDone={close}
          />
        ) : (
          <form
            className="gw-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isPast) make.mutate();
            }}
          >
            <TextInput
              label={t.name}
              required
              data-autofocus
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <EndInput value={end} onChange={setEnd} />
            {make.isError ? <ErrorPanel error={make.error} title={texts.errors.notSaved} /> : null}
            <div className="gw-form-end">
              <Button variant="default" onClick={close}>
                {texts.ui.cancel}
              </Button>
              <Button type="submit" loading={make.isPending}>
                {t.create}
              </Button>
            </div>
          </form>
        )
      }
    </Dialog>
  );
}

interface EndInputProps {
  value: string;
  onChange: (value: string) => void;
}

export function EndInput({ value, onChange }: EndInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={t.ends}
      description={t.endHint}
      value={value}
      error={parseEndTime(value) === undefined ? t.badTime : null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function EndKey({ app, appKey, onClosed }: KeyProps & { onClosed: () => void }) {
  const [end, setEnd] = useState(() => formatLocalTime(appKey.expires_at));
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const store = useMutation({
    mutationFn: () =>
      write('PATCH', keyPath(app, appKey), {
        body: { expires_at: parseEndTime(end) },
        ifMatch: appKey.version,
      }),
    onSettled: () => reloadGateway(),
  });
  return (
    <Dialog title={`${t.setEnd}: ${appKey.name}`} onClosed={onClosed}>
      {(close) => (
        <div className="gw-form">
          <EndInput value={end} onChange={setEnd} />
          {store.isError ? <ErrorPanel error={store.error} title={texts.errors.notSaved} /> : null}
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button
              disabled={parseEndTime(end) === undefined}
              loading={store.isPending}
              onClick={() => store.mutate(undefined, { onSuccess: close })}
            >
              {t.store}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function RevokeKey({ app, appKey, onClosed }: KeyProps & { onClosed: () => void }) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  return (
    <ConfirmDialog
      title={t.revokeTitle(appKey.name)}
      text={t.revokeText}
      action={t.revoke}
      run={() =>
        write('DELETE', keyPath(app, appKey), { ifMatch: appKey.version }).finally(reloadGateway)
      }
      done={t.revoked}
      onClose={onClosed}
    />
  );
}
