// Sends the request from the page, with the user's session or with a typed key, which is not stored.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import { Json } from '../ui/Json.tsx';
import { Section } from '../ui/Page.tsx';
import { visible, visibleLines } from '../ui/visible.ts';
import { type Asked, ask, askedOf, bySession, keyOf, mayBeTried, type Told } from './ask.ts';
import type { Operation } from './operations.ts';
import { tryTexts as t } from './try-texts.ts';
import type { ApiDocument } from './wire.ts';

export function TryIt({ document, operation }: { document: ApiDocument; operation: Operation }) {
  const { tenantId } = useTenant();
  const [typed, setTyped] = useState<Record<string, string>>({ 'path tenant_id': tenantId });
  const [token, setToken] = useState('');
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const call = useMutation({ mutationFn: (asked: Asked) => ask(asked, leaving.current.signal) });
  if (!mayBeTried(operation)) return null;
  const isSession = bySession(document, operation);
  const asked = askedOf(operation, typed, token.trim());
  const isReady = asked !== null && (isSession || token.trim() !== '');
  const fields = operation.parameters.filter((item) => item.in !== 'cookie');
  return (
    <Section title={t.title}>
      <form
        className="gw-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) call.mutate(asked);
        }}
      >
        <p className="gw-flat gw-dimmed">{isSession ? t.lead : t.leadWithKey}</p>
        {fields.map((item) => (
          <TextInput
            key={keyOf(item)}
            label={item.name}
            description={t.places[item.in]}
            required={item.required === true}
            autoComplete="off"
            value={typed[keyOf(item)] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setTyped((former) => ({ ...former, [keyOf(item)]: value }));
            }}
          />
        ))}
        <PasswordInput
          label={isSession ? t.keyInstead : t.key}
          description={t.keyKept}
          required={!isSession}
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={call.isPending} disabled={!isReady}>
            {t.button}
          </Button>
        </div>
        <div role="status" data-testid="tried">
          {call.isError ? t.noAnswer : null}
          {call.data === undefined ? null : <Answer told={call.data} />}
        </div>
      </form>
    </Section>
  );
}

function Answer({ told }: { told: Told }) {
  return (
    <>
      <p>
        <strong>{told.status === 0 ? t.elsewhere : told.status}</strong>{' '}
        {told.requestId === null ? null : (
          <span className="gw-dimmed gw-mono">{t.request(told.requestId)}</span>
        )}
      </p>
      {told.isCut ? <p className="gw-flat">{t.cut}</p> : null}
      {'json' in told.body ? (
        <Json value={told.body.json} label={t.answer} />
      ) : (
        <Text text={told.body.text} />
      )}
    </>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <p className="gw-flat gw-dimmed">{t.empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach a scrollable box
    <section className="gw-json" aria-label={visible(t.answer)} tabIndex={0}>
      {visibleLines(text)}
    </section>
  );
}
