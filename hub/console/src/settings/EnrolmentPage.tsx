// Tokens that installers carry, and the commands that install the agent with them.
import type {
  AgentTokenInput,
  AgentTokenIssued,
  AgentTokenRow,
} from '@gatewarden/shared/wire/console/agent-tokens.ts';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSecretOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useList, useReload, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { MayBeMade } from '../ui/MayBeMade.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { Time } from '../ui/Time.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { INSTALLERS } from './install-commands.ts';
import { settingsTexts } from './texts.ts';
import '../decisions/decisions.css';

const words = settingsTexts.enrolment;
const TONES: Record<AgentTokenRow['status'], Tone> = {
  active: 'good',
  expired: 'plain',
  revoked: 'bad',
};

export function EnrolmentPage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <div className="gw-stack">
        <Tokens />
        <Commands />
      </div>
    </AdminsOnly>
  );
}

function Tokens() {
  const [isNew, setNew] = useState(false);
  const list = useList<AgentTokenRow>('agent-tokens', '/agent-tokens');
  return (
    <Section title={words.tokens} aside={<Button onClick={() => setNew(true)}>{words.new}</Button>}>
      <ListView
        list={list}
        bare
        caption={words.tokens}
        columns={COLUMNS}
        rowKey={(row) => row.token_id}
        rowTestId="agent-token-row"
        empty={<Empty title={words.empty} text={words.emptyText} />}
      />
      {isNew ? (
        <Dialog title={words.new} onClosed={() => setNew(false)}>
          {(close) => <NewToken onClose={close} />}
        </Dialog>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<AgentTokenRow>[] = [
  { key: 'name', weight: 2, header: words.name, render: (row) => <Name value={row.name} clamp /> },
  {
    key: 'kind',
    header: words.kind,
    render: (row) => (row.enrol_only ? words.enrolOnly : words.anything),
  },
  {
    key: 'status',
    header: words.status,
    render: (row) => (
      <Badge tone={TONES[row.status]} dot>
        {words.statuses[row.status]}
      </Badge>
    ),
  },
  { key: 'created', header: words.created, render: (row) => <Time at={row.created_at} /> },
  {
    key: 'ends',
    header: words.expires,
    render: (row) => (row.expires_at === null ? words.never : <Time at={row.expires_at} />),
  },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (row.status === 'active' ? <Revoke token={row} /> : null),
  },
];

function Revoke({ token }: { token: AgentTokenRow }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmButton
      label={words.revokeOf(token.name)}
      title={words.revokeTitle}
      name={token.name}
      text={words.revokeText}
      action={words.revoke}
      done={words.revoked}
      run={() => write('DELETE', `/agent-tokens/${token.token_id}`)}
      onDone={() => reload('agent-tokens')}
    />
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const write = useTenantWrite();
  const once = useSecretOnce();
  const reload = useReload();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | string>(30);
  const make = useMutation({
    mutationFn: () =>
      once(
        (id) => {
          const body = { name: name.trim(), expires_in_days: Number(days), token_id: id };
          return withoutUnknown('token_id', body satisfies AgentTokenInput, (sent) =>
            write<AgentTokenIssued>('POST', '/agent-tokens', { body: sent }),
          );
        },
        (id) => write('DELETE', `/agent-tokens/${id}`),
      ),
    onSettled: () => reload('agent-tokens'),
  });
  if (make.data !== undefined) {
    return (
      <SecretBox
        label={words.secret}
        hint={words.secretHint}
        note={words.once}
        secret={make.data.secret}
        onDone={onClose}
      />
    );
  }
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={200}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label={words.days}
        min={1}
        max={365}
        allowDecimal={false}
        value={days}
        onChange={setDays}
      />
      {make.isError ? <ErrorPanel error={make.error} title={texts.errors.notSaved} /> : null}
      <MayBeMade error={make.error} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={make.isPending} disabled={name.trim() === ''}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}

function Commands() {
  const { tenantId } = useTenant();
  const [subscriberId, setSubscriberId] = useState('alice@example.com');
  // The console is served under the hub's canonical origin.
  const machine = { baseUrl: window.location.origin, tenantId, subscriberId };
  return (
    <Section title={words.install}>
      <p className="gw-flat">{words.installLead}</p>
      <TextInput
        label={words.person}
        description={words.personHint}
        maxLength={128}
        value={subscriberId}
        onChange={(event) => setSubscriberId(event.currentTarget.value)}
      />
      {INSTALLERS.map(({ key, name, tried, settingsFile, command }) => (
        <section key={key} aria-label={name} data-testid="installer">
          <h3>{name}</h3>
          {tried === 'tried' ? null : <p className="gw-flat gw-dimmed">{words.limits[tried]}</p>}
          <CopyBlock label={name} text={command(machine)} />
          <p className="gw-flat gw-dimmed gw-small">{words.managed(settingsFile)}</p>
        </section>
      ))}
    </Section>
  );
}
