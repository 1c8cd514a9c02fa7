// Finds the organization's keys in a leaked text, and revokes them.
import type {
  LeakedKey,
  LeakedKeysAnswer,
  LeakedKeysInput,
} from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { LEAKED_TEXT_MAX } from '@gatewarden/shared/wire/console/leaked-text.ts';
import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { keysTexts } from './keys-texts.ts';
import '../policies/policies.css';

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
  /** The last searched text with its keys; stays visible during the next search. */
  const [answer, setAnswer] = useState<{ text: string; items: LeakedKey[] } | null>(null);
  const sendText = async (verb: 'find' | 'revoke', leakedText: string) => {
    const body: LeakedKeysInput = { text: leakedText };
    const { items } = await write<LeakedKeysAnswer>('POST', `/leaked-keys/${verb}`, { body });
    setAnswer({ text: leakedText, items });
  };
  const find = useMutation({ mutationFn: () => sendText('find', text) });
  const keys = answer?.items;
  const isTooLong = text.length > LEAKED_TEXT_MAX;
  const open = keys?.filter((item) => item.status === 'active').length ?? 0;
  return (
    <Section title={words.title}>
      <p className="gw-flat gw-dimmed">{words.lead}</p>
      <form
        className="gw-form"
        onSubmit={(event) => {
          event.preventDefault();
          find.mutate();
        }}
      >
        <Textarea
          label={words.text}
          description={words.textHint(LEAKED_TEXT_MAX)}
          required
          rows={8}
          error={isTooLong ? words.tooLong(text.length) : null}
          spellCheck={false}
          autoComplete="off"
          className="gw-mono"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="gw-form-end">
          <Button type="submit" loading={find.isPending} disabled={text === '' || isTooLong}>
            {words.find}
          </Button>
        </div>
      </form>
      {find.isError ? <ErrorPanel error={find.error} title={words.notLooked} /> : null}
      <p className="gw-flat" role="status">
        {keys === undefined ? null : resultText(keys.length, open)}
      </p>
      {keys === undefined ? null : (
        <>
          {open === 0 ? null : (
            <div className="gw-form-end">
              <ConfirmButton
                title={words.revokeTitle}
                text={words.revokeText}
                action={words.revoke}
                done={words.revoked}
                run={() => sendText('revoke', answer?.text ?? '')}
                onDone={() => {
                  for (const topic of ['gateway', 'mcp', 'agent-tokens'] as const) reload(topic);
                }}
              />
            </div>
          )}
          {keys.length === 0 ? null : (
            <DataTable
              caption={words.found}
              columns={COLUMNS}
              rows={keys}
              rowKey={(row) => row.fingerprint}
              rowTestId="leaked-key-row"
            />
          )}
        </>
      )}
    </Section>
  );
}

function resultText(found: number, open: number): string {
  if (found === 0) return words.none;
  return open === 0 ? words.closed : words.open(open);
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
