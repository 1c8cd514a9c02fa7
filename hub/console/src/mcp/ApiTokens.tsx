// The direct tokens of a server: created for a client program, shown once, and revoked.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { ApiToken, ApiTokenIssued } from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useSecretOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useList, useReload, useTenantWrite } from '../api/tenant.ts';
import { DIRECT_COLUMNS } from '../own/OwnTokens.tsx';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { ListView } from '../ui/ListView.tsx';
import { MayBeMade } from '../ui/MayBeMade.tsx';
import { Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';

const words = texts.mcp.apiTokens;

export function ApiTokens({ server }: { server: Backend }) {
  const [isNew, setNew] = useState(false);
  const list = useList<ApiToken>('mcp', '/mcp/api-tokens', { of: 'all', backend_id: server.id });
  return (
    <Section
      title={words.title}
      aside={
        <Button size="xs" variant="default" onClick={() => setNew(true)}>
          {words.new}
        </Button>
      }
    >
      <p className="gw-dimmed gw-flat">{words.lead}</p>
      <ListView
        list={list}
        bare
        caption={words.title}
        columns={DIRECT_COLUMNS}
        rowKey={(row) => row.id}
        rowTestId="api-token-row"
        empty={<p className="gw-dimmed gw-flat">{words.empty}</p>}
      />
      {isNew ? <NewToken server={server} onClose={() => setNew(false)} /> : null}
    </Section>
  );
}

function NewToken({ server, onClose }: { server: Backend; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog title={secret === null ? words.newTitle : words.secretTitle} onClosed={onClose}>
      {(close) =>
        secret === null ? (
          <TokenForm server={server} onMade={setSecret} onCancel={close} />
        ) : (
          <SecretBox
            label={words.secretTitle}
            hint={words.secretHint}
            note={words.secretNote}
            secret={secret}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

function TokenForm(props: {
  server: Backend;
  onMade: (secret: string) => void;
  onCancel: () => void;
}) {
  const write = useTenantWrite();
  const reload = useReload();
  const once = useSecretOnce();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm({
    initialValues: { name: '', agent: '' },
    validate: {
      name: (name) => (name.trim() === '' ? words.nameNeeded : null),
      agent: (agent) => (/^[\x21-\x2e\x30-\x7e]+$/.test(agent) ? null : words.agentNeeded),
    },
  });
  const submit = async (values: { name: string; agent: string }) => {
    setRefusal(null);
    try {
      const path = `/mcp/backends/${props.server.id}/api-tokens`;
      const created = await once(
        (id) =>
          withoutUnknown('token_id', { ...values, token_id: id }, (body) =>
            write<ApiTokenIssued>('POST', path, { body }),
          ),
        (id) => write('DELETE', `${path}/${id}`),
      );
      reload('mcp');
      props.onMade(created.token.secret);
    } catch (error) {
      reload('mcp');
      setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <TextInput
        label={words.name}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={words.agent}
        description={words.agentHint}
        maxLength={300}
        required
        spellCheck={false}
        {...form.getInputProps('agent')}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <MayBeMade error={refusal} />
      <div className="gw-form-end">
        <Button variant="default" onClick={props.onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}
