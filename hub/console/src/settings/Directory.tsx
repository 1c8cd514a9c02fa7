// How a company's directory provisions people: the address and the tokens for it.
import type {
  ScimTokenInput,
  ScimTokenIssued,
  ScimTokenRow,
} from '@gatewarden/shared/wire/console/scim-tokens.ts';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSecretOnce } from '../api/idempotency.ts';
import { useList, useReload, useTenantWrite } from '../api/tenant.ts';
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
import { directoryTexts as words } from './directory-texts.ts';

const TONES: Record<ScimTokenRow['status'], Tone> = {
  active: 'good',
  expired: 'plain',
  revoked: 'bad',
};

export function Directory() {
  const [isNew, setNew] = useState(false);
  // Its tokens are told of with the people.
  const list = useList<ScimTokenRow>('people', '/scim-tokens');
  return (
    <Section title={words.title} aside={<Button onClick={() => setNew(true)}>{words.new}</Button>}>
      <p className="gw-flat">{words.lead}</p>
      {/* The console is served under the hub's canonical origin. */}
      <CopyBlock label={words.url} text={`${window.location.origin}/scim/v2`} />
      <p className="gw-flat gw-dimmed gw-small">{words.roles}</p>
      <ListView
        list={list}
        bare
        caption={words.tokens}
        columns={COLUMNS}
        rowKey={(row) => row.token_id}
        rowTestId="scim-token-row"
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

const COLUMNS: readonly Column<ScimTokenRow>[] = [
  { key: 'name', weight: 2, header: words.name, render: (row) => <Name value={row.name} clamp /> },
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
  { key: 'used', header: words.lastUsed, render: (row) => <Time at={row.last_used_at} /> },
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

function Revoke({ token }: { token: ScimTokenRow }) {
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
      run={() => write('DELETE', `/scim-tokens/${token.token_id}`)}
      onDone={() => reload('people')}
    />
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const write = useTenantWrite();
  const once = useSecretOnce();
  const reload = useReload();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | string>(365);
  const make = useMutation({
    mutationFn: () =>
      once(
        (id) => {
          const body = { name: name.trim(), expires_in_days: Number(days), token_id: id };
          return write<ScimTokenIssued>('POST', '/scim-tokens', {
            body: body satisfies ScimTokenInput,
          });
        },
        (id) => write('DELETE', `/scim-tokens/${id}`),
      ),
    onSettled: () => reload('people'),
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
