// Keys that leaked: which of the organisation's stand in a text that somebody found, and their end.
import type {
  LeakedKey,
  LeakedKeysAnswer,
  LeakedKeysInput,
} from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { keysTexts } from './keys-texts.ts';
import '../decisions/decisions.css';

const words = keysTexts.leaked;
const TONES: Record<LeakedKey['status'], Tone> = {
  active: 'bad',
  expired: 'plain',
  revoked: 'good',
  unknown: 'plain',
};

export function LeakedKeys() {
  const write = useTenantWrite();
  const reload = useReload();
  const [text, setText] = useState('');
  /** What the answer is about: the text may be another by now. */
  const [asked, setAsked] = useState('');
  const ask = useMutation({
    mutationFn: ({ verb, of }: { verb: 'find' | 'revoke'; of: string }) => {
      setAsked(of);
      const body: LeakedKeysInput = { text: of };
      return write<LeakedKeysAnswer>('POST', `/leaked-keys/${verb}`, { body });
    },
  });
  const found = ask.data?.items;
  const open = found?.filter((one) => one.status === 'active').length ?? 0;
  return (
    <Section title={words.title}>
      <p className="gw-flat gw-dimmed">{words.lead}</p>
      <form
        className="gw-form"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate({ verb: 'find', of: text });
        }}
      >
        <Textarea
          label={words.text}
          description={words.textHint}
          required
          rows={8}
          maxLength={500_000}
          spellCheck={false}
          autoComplete="off"
          className="gw-mono"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="gw-form-end">
          <Button type="submit" loading={ask.isPending} disabled={text === ''}>
            {words.find}
          </Button>
        </div>
      </form>
      {ask.isError ? <ErrorPanel error={ask.error} title={texts.errors.notSaved} /> : null}
      {found === undefined ? null : (
        <>
          <p className="gw-flat" role="status">
            {found.length === 0 ? words.none : open === 0 ? words.closed : words.open(open)}
          </p>
          {open === 0 ? null : (
            <div className="gw-form-end">
              <ConfirmButton
                title={words.revokeTitle}
                text={words.revokeText}
                action={words.revoke}
                done={words.revoked}
                run={() => ask.mutateAsync({ verb: 'revoke', of: asked })}
                onDone={() => {
                  for (const topic of ['gateway', 'mcp', 'agent-tokens'] as const) reload(topic);
                }}
              />
            </div>
          )}
          {found.length === 0 ? null : (
            <DataTable
              caption={words.found}
              columns={COLUMNS}
              rows={found}
              rowKey={(row) => row.fingerprint}
              rowTestId="leaked-key-row"
            />
          )}
        </>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<LeakedKey>[] = [
  { key: 'kind', header: words.kind, render: (row) => keysTexts.kinds[row.kind] },
  {
    key: 'name',
    header: words.name,
    weight: 2,
    render: (row) =>
      row.key === null ? words.unknownName(row.fingerprint) : <Name value={row.key.name} clamp />,
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
  {
    key: 'used',
    header: words.used,
    render: (row) => {
      const at = row.key?.last_used_at ?? null;
      return at === null ? words.neverUsed : <Time at={at} />;
    },
  },
  {
    key: 'line',
    header: words.line,
    align: 'end',
    render: (row) => row.line.toLocaleString('en-GB'),
  },
];
