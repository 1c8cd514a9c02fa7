import { describe, expect, it } from 'vitest';
import { compileCatalog, compileGuardrails } from './compile.ts';
import { buildGuardrailRow, decide, inspectTexts } from './detect.ts';
import { redactSpans } from './redact.ts';
import type { Span } from './types.ts';

const COMPILED = compileGuardrails(
  {
    enabled_categories: { pii: true, pci: true, jailbreak: true },
    category_actions: { pci: 'redact', jailbreak: 'block' },
  },
  compileCatalog([], []),
);
const CARD = 'Card 4111 1111 1111 1111, mail ann@example.com.';

const span = (
  start: number,
  end: number,
  action: Span['action'],
  more: Partial<Span> = {},
): Span => ({
  ...{ start, end, action, category: 'pii', subcategory: 'phone_number', detector: 'd' },
  ...more,
});

describe('outcome', () => {
  it.each<[string, Span['action'][], string]>([
    ['passes without spans', [], 'pass'],
    ['monitors', ['monitor'], 'monitor'],
    ['redacts in part', ['monitor', 'partial-redact'], 'partial-redact'],
    ['redacts', ['partial-redact', 'redact', 'monitor'], 'redact'],
    ['blocks', ['redact', 'block', 'monitor'], 'block'],
  ])('%s', (_claim, actions, outcome) => {
    expect(decide(actions.map((action) => span(0, 1, action)))).toBe(outcome);
  });
});

describe('row', () => {
  it('names actions, categories and positions, and never the content', () => {
    const { spans } = inspectTexts(['Hello', CARD], COMPILED, 'request');
    const row = buildGuardrailRow(spans, []);
    expect(row).toMatchObject({
      outcome: 'redacted',
      is_blocked: false,
      is_anonymized: true,
      actions_and_categories: {
        redact: { pci: ['card_number'] },
        monitor: { pii: ['email_address'] },
      },
      request_predictions: [
        {
          category: 'pci',
          subcategory: 'card_number',
          action: 'redact',
          part: 1,
          start: 5,
          end: 24,
        },
        { category: 'pii', subcategory: 'email_address', action: 'monitor', part: 1 },
      ],
      response_predictions: [],
    });
    expect(JSON.stringify(row)).not.toMatch(/4111|example/);
  });

  it.each<[string, Span[], Span[], object]>([
    [
      'reports a normal request',
      [],
      [],
      { outcome: 'normal', is_blocked: false, is_anonymized: false },
    ],
    [
      'reports a blocked response',
      [],
      [span(0, 1, 'block')],
      { outcome: 'blocked', is_blocked: true },
    ],
    [
      'reports a blocked request as not anonymized',
      [span(0, 1, 'redact'), span(0, 1, 'block')],
      [],
      { outcome: 'blocked', is_anonymized: false },
    ],
    [
      'reports monitoring',
      [span(0, 1, 'monitor')],
      [],
      { outcome: 'monitored', is_anonymized: false },
    ],
    [
      'reports partial redaction',
      [],
      [span(0, 1, 'partial-redact')],
      { outcome: 'partially_redacted', is_anonymized: true },
    ],
  ])('%s', (_claim, request, response, row) => {
    const parts = (spans: Span[]) => spans.map((item) => ({ ...item, part: 0 }));
    expect(buildGuardrailRow(parts(request), parts(response))).toMatchObject(row);
  });

  it('stores at most 100 predictions', () => {
    const { spans } = inspectTexts(['a@b.example '.repeat(150)], COMPILED, 'request');
    expect(spans).toHaveLength(150);
    expect(buildGuardrailRow(spans, []).request_predictions).toHaveLength(100);
  });
});

describe('redaction', () => {
  const TEXT = 'Call 030 1234 5678 now';
  const PARTIAL = 'partial-redact';

  it.each<[string, Span[], string]>([
    ['keeps monitored content', [span(5, 18, 'monitor')], TEXT],
    ['replaces content', [span(5, 18, 'redact')], 'Call [REDACTED_PHONE_NUMBER] now'],
    ['keeps the end of a long value', [span(5, 18, PARTIAL)], 'Call *** **** 5678 now'],
    ['masks a short value', [span(0, 4, PARTIAL)], '**** 030 1234 5678 now'],
    [
      'merges overlaps by the strictest action',
      [span(5, 13, PARTIAL), span(9, 18, 'redact')],
      'Call [REDACTED_PHONE_NUMBER] now',
    ],
    [
      'replaces neighbors one by one',
      [span(0, 4, 'redact'), span(5, 8, 'redact')],
      '[REDACTED_PHONE_NUMBER] [REDACTED_PHONE_NUMBER] 1234 5678 now',
    ],
  ])('%s', (_claim, spans, text) => {
    expect(redactSpans(TEXT, spans)).toBe(text);
  });

  it('changes no text around the content', () => {
    expect(inspectTexts([CARD], COMPILED, 'request').texts).toEqual([
      'Card [REDACTED_CARD_NUMBER], mail ann@example.com.',
    ]);
  });
});
