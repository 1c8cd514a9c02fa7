// A user's actions on a server: connect, reconnect and disconnect; store, replace and remove a key.
import type { GrantStarted } from '@gatewarden/shared/wire/console/mcp-grants.ts';
import type { OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel, noticeOf } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';

const words = texts.own.connections;

/** Opens the server's login in the browser. */
export function useConnect({ backend_id: id }: OwnServer) {
  const write = useTenantWrite();
  return useMutation({
    mutationFn: () => write<GrantStarted>('POST', `/mcp/grants/${id}/start`),
    onSuccess: ({ authorization_url: url }) => {
      // A server controls the URL of its login, so that other schemes such as `javascript:` are not opened.
      if (/^https?:/.test(url)) window.location.assign(url);
    },
    onError: (error) => {
      notifications.show({ color: 'red', title: words.failed, message: noticeOf(error) });
    },
  });
}

export function ServerActions({ server }: { server: OwnServer }) {
  return server.auth_kind === 'oauth' ? (
    <OAuthActions server={server} />
  ) : (
    <KeyActions server={server} />
  );
}

function OAuthActions({ server }: { server: OwnServer }) {
  const connect = useConnect(server);
  const write = useTenantWrite();
  const reload = useReload();
  const isThere = server.connection !== 'missing';
  return (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant={server.connection === 'connected' ? 'default' : 'filled'}
        loading={connect.isPending}
        aria-label={isThere ? words.reconnectNamed(server.name) : words.connectNamed(server.name)}
        onClick={() => {
          connect.mutate();
        }}
      >
        {isThere ? words.reconnect : words.connect}
      </Button>
      {isThere ? (
        <ConfirmButton
          label={words.disconnectNamed(server.name)}
          title={words.disconnectTitle}
          name={server.name}
          text={words.disconnectText}
          action={words.disconnect}
          done={words.disconnected}
          run={() => write('DELETE', `/mcp/grants/${server.backend_id}`)}
          onDone={() => reload('mcp')}
        />
      ) : null}
    </div>
  );
}

function KeyActions({ server }: { server: OwnServer }) {
  const write = useTenantWrite();
  const reload = useReload();
  const [isStoring, setStoring] = useState(false);
  const isThere = server.connection !== 'missing';
  const close = () => {
    setStoring(false);
  };
  return (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant={isThere ? 'default' : 'filled'}
        aria-label={isThere ? words.replaceKeyNamed(server.name) : words.addKeyNamed(server.name)}
        onClick={() => setStoring(true)}
      >
        {isThere ? words.replaceKey : words.addKey}
      </Button>
      {isThere ? (
        <ConfirmButton
          label={words.removeKeyNamed(server.name)}
          title={words.removeKeyTitle}
          name={server.name}
          text={words.removeKeyText}
          action={words.removeKey}
          done={words.keyRemoved}
          run={() => write('DELETE', `/mcp/connections/${server.backend_id}`)}
          onDone={() => reload('mcp')}
        />
      ) : null}
      {isStoring ? (
        <Dialog title={words.keyTitle} onClosed={close}>
          {(done) => <KeyForm server={server} onClose={done} />}
        </Dialog>
      ) : null}
    </div>
  );
}

function KeyForm({ server, onClose }: { server: OwnServer; onClose: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm({
    initialValues: { secret: '' },
    validate: { secret: (secret) => (secret.trim() === '' ? words.keyNeeded : null) },
  });
  const submit = async ({ secret }: { secret: string }) => {
    setRefusal(null);
    try {
      await write('PUT', `/mcp/connections/${server.backend_id}`, {
        body: { secret: secret.trim() },
      });
      notifications.show({ color: 'teal', message: words.keyStored });
      reload('mcp');
      onClose();
    } catch (error) {
      setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <strong>
        <Name value={server.name} clamp />
      </strong>
      <PasswordInput
        label={words.key}
        description={words.keyHint}
        maxLength={8192}
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('secret')}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {words.addKey}
        </Button>
      </div>
    </form>
  );
}
