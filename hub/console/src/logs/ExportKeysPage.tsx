// The keys with which collectors read logs, how far each has read, and what is kept of logs at all.
import {
  EXPORT_SCOPES,
  type ExportKey,
  type ExportKeyInput,
  type ExportScope,
} from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { Button, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { oneOf } from '../api/query-string.ts';
import { useAllOf, useList, useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { SettingForm } from '../defaults/SettingForm.tsx';
import { KEY_TONES } from '../gateway/AppKeys.tsx';
import { useAfterGateway } from '../gateway/after-gateway.ts';
import { endOf } from '../gateway/end-time.ts';
import { gatewayTexts } from '../gateway/texts.ts';
import type { GatewayApp } from '../gateway/wire.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel, noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { logTexts } from './texts.ts';
import '../decisions/decisions.css';
import { visible } from '../ui/visible.ts';

const t = logTexts.keys;
type Opened =
  | { kind: 'new' }
  | { kind: 'secret'; name: string; secret: string; note: string }
  | { kind: 'revoke'; key: ExportKey }
  | null;

export function ExportKeysPage() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<Opened>(null);
  const list = useList<ExportKey>('gateway', '/log-export-keys');
  const close = () => setOpened(null);
  return (
    <Page title={t.title} lead={t.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setOpened({ kind: 'new' })}>{t.new}</Button>
        </div>
      ) : null}
      <div className="gw-stack">
        <ListView
          list={list}
          caption={t.title}
          rowKey={(row) => row.key_id}
          rowTestId="export-key-row"
          empty={<Empty title={t.empty} text={t.emptyText} />}
          columns={[
            ...COLUMNS,
            {
              key: 'actions',
              header: texts.ui.actions,
              hiddenHeader: true,
              align: 'end',
              weight: 1.6,
              render: (key) =>
                mayAdminister && key.status === 'active' ? (
                  <KeyActions of={key} open={setOpened} />
                ) : null,
            },
          ]}
        />
        <KeptLogs />
      </div>
      {opened?.kind === 'new' ? <NewKey onClosed={close} /> : null}
      {opened?.kind === 'secret' ? (
        <Dialog title={opened.name} onClosed={close}>
          {(done) => <Secret secret={opened.secret} note={opened.note} onDone={done} />}
        </Dialog>
      ) : null}
      {opened?.kind === 'revoke' ? <RevokeKey of={opened.key} onClosed={close} /> : null}
    </Page>
  );
}

const COLUMNS: readonly Column<ExportKey>[] = [
  { key: 'name', header: t.name, weight: 1.6, render: (row) => <Name value={row.name} clamp /> },
  { key: 'scope', header: t.scope, weight: 1.8, render: (row) => t.scopes[row.scope] },
  {
    key: 'status',
    header: gatewayTexts.keys.status,
    render: (row) => (
      <Badge tone={KEY_TONES[row.status]} dot>
        {gatewayTexts.keys.statuses[row.status]}
      </Badge>
    ),
  },
  { key: 'used', header: gatewayTexts.keys.used, render: (row) => <Time at={row.last_used_at} /> },
  { key: 'read', header: t.behind, render: (row) => <Time at={row.read_up_to} /> },
  {
    key: 'ends',
    header: t.ends,
    render: (row) =>
      row.expires_at === null ? gatewayTexts.keys.never : <Time at={row.expires_at} />,
  },
];

function Secret({ secret, note, onDone }: { secret: string; note: string; onDone: () => void }) {
  return (
    <SecretBox label={t.secret} hint={t.secretHint} note={note} secret={secret} onDone={onDone} />
  );
}

function KeyActions({ of, open }: { of: ExportKey; open: (next: Opened) => void }) {
  const write = useTenantWrite();
  const reveal = useMutation({
    mutationFn: () =>
      write<{ secret: string }>('POST', `/log-export-keys/${of.key_id}/reveal`, { body: {} }),
    onSuccess: ({ secret }) =>
      open({ kind: 'secret', name: of.name, secret, note: gatewayTexts.keys.revealed }),
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
      <Button size="xs" variant="default" onClick={() => open({ kind: 'revoke', key: of })}>
        {t.revoke}
      </Button>
    </div>
  );
}

function NewKey({ onClosed }: { onClosed: () => void }) {
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ExportScope>('all_apps');
  const [target, setTarget] = useState('');
  const [end, setEnd] = useState('');
  const expiresAt = endOf(end);
  const once = useSentOnce();
  const make = useMutation({
    mutationFn: () => {
      const body = {
        scope,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(scope === 'app' ? { app_name: target } : {}),
        ...(scope === 'backend' ? { backend_id: target } : {}),
        expires_at: expiresAt ?? null,
      } satisfies ExportKeyInput;
      return once<{ secret: string }>(
        body,
        (id) =>
          withoutUnknown('key_id', { ...body, key_id: id }, (sent) =>
            write('POST', '/log-export-keys', { body: sent }),
          ),
        (id) => write('POST', `/log-export-keys/${id}/reveal`, { body: {} }),
      );
    },
    onSettled: () => afterGateway(),
  });
  return (
    <Dialog title={t.new} onClosed={onClosed}>
      {(close) =>
        make.data ? (
          <Secret secret={make.data.secret} note={t.once} onDone={close} />
        ) : (
          <form
            className="gw-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (expiresAt !== undefined) make.mutate();
            }}
          >
            <TextInput
              label={t.name}
              maxLength={200}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <NativeSelect
              label={t.scope}
              data={EXPORT_SCOPES.map((value) => ({ value, label: t.scopes[value] }))}
              value={scope}
              onChange={(event) => {
                setScope(oneOf(EXPORT_SCOPES, event.currentTarget.value) ?? scope);
                setTarget('');
              }}
            />
            {scope === 'app' ? <ChooseApp value={target} onChange={setTarget} /> : null}
            {scope === 'backend' ? <ChooseBackend value={target} onChange={setTarget} /> : null}
            <TextInput
              type="datetime-local"
              label={t.ends}
              description={t.endHint}
              value={end}
              error={expiresAt === undefined ? t.badTime : null}
              onChange={(event) => setEnd(event.currentTarget.value)}
            />
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

interface ChooseProps {
  value: string;
  onChange: (value: string) => void;
}

function ChooseApp({ value, onChange }: ChooseProps) {
  const apps = useAllOf<GatewayApp>('gateway', '/gateway/apps');
  return (
    <NativeSelect
      label={t.appName}
      required
      data={[
        { value: '', label: '' },
        ...apps.map((item) => ({ value: item.name, label: visible(item.name) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ChooseBackend({ value, onChange }: ChooseProps) {
  const backends = useAllOf<{ id: string; name: string }>('gateway', '/mcp/backends');
  return (
    <NativeSelect
      label={t.backend}
      required
      data={[
        { value: '', label: '' },
        ...backends.map((item) => ({ value: item.id, label: visible(item.name) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function RevokeKey({ of, onClosed }: { of: ExportKey; onClosed: () => void }) {
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const revoke = () => write('DELETE', `/log-export-keys/${of.key_id}`, { ifMatch: of.version });
  return (
    <ConfirmDialog
      title={t.revokeTitle(of.name)}
      text={t.revokeText}
      action={t.revoke}
      run={() => revoke().finally(afterGateway)}
      done={t.revoked}
      onClose={onClosed}
    />
  );
}

interface LogSettings {
  store_payloads: boolean;
  retention_days: number;
  version: string;
}

function KeptLogs() {
  const answer = useResource<{ settings: LogSettings }>('gateway', '/log-settings');
  const settings = shownOf(answer)?.settings;
  return (
    <Section title={t.settings}>
      <Waiting answer={answer} />
      {settings === undefined ? null : <KeptForm settings={settings} />}
    </Section>
  );
}

interface Kept {
  payloads: boolean;
  /** As it is typed. */
  days: number | string;
}

function KeptForm({ settings }: { settings: LogSettings }) {
  const stored = { payloads: settings.store_payloads, days: settings.retention_days };
  return (
    <SettingForm<Kept>
      stored={{ ...stored, version: settings.version }}
      path="/log-settings"
      topic="gateway"
      isSame={(a, b) => a.payloads === b.payloads && Number(a.days) === Number(b.days)}
      body={({ payloads, days }) => ({ store_payloads: payloads, retention_days: Number(days) })}
      texts={{ stored: t.stored, conflict: t.conflict, submit: t.store }}
    >
      {(value, choose, mayManage) => (
        <>
          <Switch
            label={t.payloads}
            disabled={!mayManage}
            checked={value.payloads}
            onChange={(event) => choose({ ...value, payloads: event.currentTarget.checked })}
          />
          <NumberInput
            label={t.days}
            disabled={!mayManage}
            min={1}
            max={15}
            allowDecimal={false}
            value={value.days}
            onChange={(days) => choose({ ...value, days })}
          />
        </>
      )}
    </SettingForm>
  );
}
