// The dialog that creates a log export key, and the key that it shows once.
import {
  EXPORT_SCOPES,
  type ExportKeyInput,
  type ExportScope,
} from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { oneOf } from '../api/query-string.ts';
import { useAllOf, useTenantWrite } from '../api/tenant.ts';
import { parseEndTime } from '../gateway/end-time.ts';
import { useReloadGateway } from '../gateway/reload-gateway.ts';
import type { GatewayApp } from '../gateway/wire.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { visible } from '../ui/visible.ts';
import { ExportRequest } from './ExportRequest.tsx';
import { logTexts } from './texts.ts';

const t = logTexts.keys;

interface SecretProps {
  secret: string;
  scope: ExportScope;
  note: string;
  onDone: () => void;
}

export function Secret({ secret, scope, note, onDone }: SecretProps) {
  return (
    <div className="gw-form">
      <ExportRequest scope={scope} />
      <SecretBox label={t.secret} hint={t.secretHint} note={note} secret={secret} onDone={onDone} />
    </div>
  );
}

export function NewKey({ onClosed }: { onClosed: () => void }) {
  const write = useTenantWrite();
  const afterGateway = useReloadGateway();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ExportScope>('all_apps');
  const [target, setTarget] = useState('');
  const [end, setEnd] = useState('');
  const expiresAt = parseEndTime(end);
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
          <Secret secret={make.data.secret} scope={scope} note={t.once} onDone={close} />
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
