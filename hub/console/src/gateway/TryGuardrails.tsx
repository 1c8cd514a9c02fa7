// Runs guardrails on a text: marks what they detect, and shows the text that would leave the gateway.
import {
  GUARDRAIL_DIRECTIONS,
  GUARDRAIL_TEXT_MAX,
  type GuardrailCategory,
  type GuardrailDirection,
  type GuardrailOutcome,
  type GuardrailSpan,
  type GuardrailTestAnswer,
} from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useTenantWrite } from '../api/tenant.ts';
import { Badge } from '../ui/Badges.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { guardrailTexts as t } from './guardrail-texts.ts';
import { nameInWords } from './schema-fields.ts';

interface TryProps {
  categories: readonly GuardrailCategory[];
  /** The settings to try, saved or not. */
  detection: Record<string, unknown>;
}

interface Trial {
  text: string;
  answer: GuardrailTestAnswer;
}

export function TryGuardrails({ categories, detection }: TryProps) {
  const write = useTenantWrite();
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<GuardrailDirection>('request');
  const run = useMutation({
    mutationFn: async (): Promise<Trial> => ({
      text,
      answer: await write<GuardrailTestAnswer>('POST', '/llm/guardrail-tests', {
        body: { text, direction, detection },
      }),
    }),
  });
  return (
    <Section title={t.trial}>
      <form
        className="gw-form"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <p className="gw-flat gw-dimmed">{t.trialLead}</p>
        <Textarea
          label={t.text}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={GUARDRAIL_TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="gw-filters">
          <NativeSelect
            label={t.direction}
            value={direction}
            data={GUARDRAIL_DIRECTIONS.map((value) => ({ value, label: t.directions[value] }))}
            onChange={(event) => {
              const chosen = oneOf(GUARDRAIL_DIRECTIONS, event.currentTarget.value);
              if (chosen !== undefined) setDirection(chosen);
            }}
          />
          <Button type="submit" variant="default" disabled={text === ''} loading={run.isPending}>
            {t.run}
          </Button>
        </div>
        <div role="status">
          {run.data === undefined ? null : <TrialResult {...run.data} categories={categories} />}
        </div>
        {run.isError ? <ErrorPanel error={run.error} /> : null}
      </form>
    </Section>
  );
}

const TONES = {
  pass: 'good',
  monitor: 'info',
  'partial-redact': 'warn',
  redact: 'warn',
  block: 'bad',
} as const satisfies Record<GuardrailOutcome, string>;

function TrialResult({ text, answer, categories }: Trial & Pick<TryProps, 'categories'>) {
  const { outcome, spans, text: sent } = answer;
  const nameOf = (id: string) => categories.find((category) => category.id === id)?.name ?? id;
  return (
    <div className="gw-test-result" data-testid="guardrail-result">
      <Badge tone={TONES[outcome]}>{t.outcomes[outcome]}</Badge>
      {spans.length === 0 ? null : (
        <>
          <MarkedText text={text} spans={spans} />
          <ul className="gw-flat">
            {spans.map((span) => (
              <li key={`${span.start} ${span.end} ${span.subcategory} ${span.detector}`}>
                {nameOf(span.category)}: {nameInWords(span.subcategory)} – {t.actions[span.action]}
              </li>
            ))}
          </ul>
        </>
      )}
      {sent === null || sent === text ? null : (
        <div>
          <strong className="gw-small">{t.sent}</strong>
          <p className="gw-flat gw-trial-text" data-testid="guardrail-sent-text">
            {sent}
          </p>
        </div>
      )}
    </div>
  );
}

/** The text with marks; spans that overlap are marked together. */
function MarkedText({ text, spans }: { text: string; spans: readonly GuardrailSpan[] }) {
  const parts: { from: number; text: string; isMarked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > at) parts.push({ from: at, text: text.slice(at, start), isMarked: false });
    const from = Math.max(start, at);
    if (end > from) parts.push({ from, text: text.slice(from, end), isMarked: true });
    at = Math.max(at, end);
  }
  parts.push({ from: at, text: text.slice(at), isMarked: false });
  return (
    <p className="gw-flat gw-trial-text">
      {parts.map((part) => (part.isMarked ? <mark key={part.from}>{part.text}</mark> : part.text))}
    </p>
  );
}
