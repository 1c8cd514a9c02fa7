// Tokens that administrators create for machines: their list, the creation of a token, shown once, and its revocation.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { IssuedToken, TokenInput } from '@gatewarden/shared/wire/console/issued-tokens.ts';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSecretOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useList, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { MayBeMade } from '../ui/MayBeMade.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { Time } from '../ui/Time.tsx';
import { settingsTexts } from './texts.ts';

const common = settingsTexts.tokens;
const TONES: Record<IssuedToken['status'], Tone> = {
  active: 'good',
  expired: 'plain',
  revoked: 'bad',
};

/** Texts and address of a kind of token. */
export interface TokenKind<Row extends IssuedToken> {
  topic: PageTopic;
  path: string;
  rowTestId: string;
  /** The default lifetime of a token. */
  days: number;
  words: {
    tokens: string;
    empty: string;
    emptyText: string;
    nameHint: string;
    secret: string;
    secretHint: string;
    once: string;
    revokeText: string;
  };
  /** Columns after the name, for this kind only. */
  columns: readonly Column<Row>[];
}

interface IssuedTokensProps<Row extends IssuedToken> {
  kind: TokenKind<Row>;
  title: string;
  /** The text above the list. */
  children?: ReactNode;
}

export function IssuedTokens<Row extends IssuedToken>({
  kind,
  title,
  children,
}: IssuedTokensProps<Row>) {
  const [isNew, setNew] = useState(false);
  const list = useList<Row>(kind.topic, kind.path);
  const { words } = kind;
  return (
    <Section title={title} aside={<Button onClick={() => setNew(true)}>{common.new}</Button>}>
      {children}
      <ListView
        list={list}
        bare
        caption={words.tokens}
        columns={tokenColumns(kind)}
        rowKey={(row) => row.token_id}
        rowTestId={kind.rowTestId}
        empty={<Empty title={words.empty} text={words.emptyText} />}
      />
      {isNew ? (
        <Dialog title={common.new} onClosed={() => setNew(false)}>
          {(close) => <NewToken kind={kind} onClose={close} />}
        </Dialog>
      ) : null}
    </Section>
  );
}

function tokenColumns<Row extends IssuedToken>(kind: TokenKind<Row>): Column<Row>[] {
  return [
    {
      key: 'name',
      weight: 2,
      header: common.name,
      render: (row) => <Name value={row.name} clamp />,
    },
    ...kind.columns,
    {
      key: 'status',
      header: common.status,
      render: (row) => (
        <Badge tone={TONES[row.status]} dot>
          {common.statuses[row.status]}
        </Badge>
      ),
    },
    { key: 'created', header: common.created, render: (row) => <Time at={row.created_at} /> },
    {
      key: 'ends',
      header: common.expires,
      render: (row) => (row.expires_at === null ? common.never : <Time at={row.expires_at} />),
    },
    {
      key: 'actions',
      header: texts.ui.actions,
      hiddenHeader: true,
      align: 'end',
      render: (row) => (row.status === 'active' ? <Revoke kind={kind} token={row} /> : null),
    },
  ];
}

/** A kind of token without its columns, because their type depends on the row. */
type AnyTokenKind = Omit<TokenKind<IssuedToken>, 'columns'>;

function Revoke({ kind, token }: { kind: AnyTokenKind; token: IssuedToken }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmButton
      label={common.revokeOf(token.name)}
      title={common.revokeTitle}
      name={token.name}
      text={kind.words.revokeText}
      action={common.revoke}
      done={common.revoked}
      run={() => write('DELETE', `${kind.path}/${token.token_id}`)}
      onDone={() => reload(kind.topic)}
    />
  );
}

function NewToken({ kind, onClose }: { kind: AnyTokenKind; onClose: () => void }) {
  const write = useTenantWrite();
  const once = useSecretOnce();
  const reload = useReload();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | string>(kind.days);
  const make = useMutation({
    mutationFn: () =>
      once(
        (id) => {
          const body = {
            name: name.trim(),
            expires_in_days: Number(days),
            token_id: id,
          } satisfies TokenInput;
          return withoutUnknown('token_id', body, (sent) =>
            write<{ secret: string }>('POST', kind.path, { body: sent }),
          );
        },
        (id) => write('DELETE', `${kind.path}/${id}`),
      ),
    onSettled: () => reload(kind.topic),
  });
  if (make.data !== undefined) {
    return (
      <SecretBox
        label={kind.words.secret}
        hint={kind.words.secretHint}
        note={kind.words.once}
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
        label={common.name}
        description={kind.words.nameHint}
        required
        maxLength={200}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label={common.days}
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
          {common.create}
        </Button>
      </div>
    </form>
  );
}
