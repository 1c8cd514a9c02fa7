import { compileCatalog, compileGuardrails } from '@gatewarden/shared/guardrails/compile.ts';
import { inspectTexts } from '@gatewarden/shared/guardrails/detect.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { StreamWindow } from './stream-window.ts';

const CATALOG = compileCatalog([], []);
const REDACT = compileGuardrails(
  {
    enabled_categories: { pii: true, pci: true, secrets: true },
    data_risk_action: 'redact',
  },
  CATALOG,
);
const BLOCK = compileGuardrails(
  { enabled_categories: { secrets: true }, category_actions: { secrets: 'block' } },
  CATALOG,
);
const MONITOR = compileGuardrails({ enabled_categories: { pii: true } }, CATALOG);

const FILLER = 'The report describes the quarter in detail. '.repeat(20);
const SECRET = `sk-proj-${'Ab3dEf6hIj9k'.repeat(6)}`;
const KEY_BLOCK = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(30)}-----END PRIVATE KEY-----`;

function stream(text: string, size: number, compiled = REDACT) {
  const window = new StreamWindow(compiled);
  const emitted: string[] = [];
  for (let at = 0; at < text.length; at += size)
    emitted.push(window.push(text.slice(at, at + size)));
  emitted.push(window.flush());
  return { window, emitted, text: emitted.join('') };
}

describe.each([1, 3, 7, 64, 1000, 1_000_000])('chunks of %i characters', (size) => {
  it.each([
    ['a text without findings', FILLER],
    ['a credential in the middle', `${FILLER}Use ${SECRET} for it. ${FILLER}`],
    ['a credential at the end', `${FILLER}Use ${SECRET}`],
    ['a credential at the start', `${SECRET} ${FILLER}`],
    ['a card number', `${FILLER}Pay with 4111 1111 1111 1111 please. ${FILLER}`],
    ['a labeled value', `${FILLER}Passport no. C01X00T47 is valid. ${FILLER}`],
    ['many addresses', 'Mail ann@example.com. '.repeat(60)],
    ['a private key', `${FILLER}${KEY_BLOCK}\n${FILLER}`],
  ])('redact %s like the complete text', (_name, text) => {
    expect(stream(text, size).text).toBe(inspectTexts([text], REDACT, 'response').texts[0]);
  });

  it('block before the first character of a credential leaves', () => {
    const { window, text } = stream(`${FILLER}Use ${SECRET} for it. ${FILLER}`, size, BLOCK);
    expect(window.isBlocked).toBe(true);
    expect(window.outcome).toBe('block');
    expect(text).not.toContain('sk-proj');
    expect(`${FILLER}Use `.startsWith(text)).toBe(true);
  });

  it('monitor without a change, and count each finding once', () => {
    const text = `${FILLER}Mail ann@example.com. ${FILLER}Mail bob@example.com. ${FILLER}`;
    const streamed = stream(text, size, MONITOR);
    expect(streamed.text).toBe(text);
    expect(streamed.window.spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      'ann@example.com',
      'bob@example.com',
    ]);
  });
});

it('redacts every text in every split like the complete text', () => {
  const part = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('The report, page 4. ', '\n', '- item 12\n', 'x = y; '),
    },
    { weight: 1, arbitrary: fc.constantFrom(`${SECRET} `, 'ann@example.com ', `${KEY_BLOCK}\n`) },
    { weight: 1, arbitrary: fc.constantFrom('4111 1111 1111 1111 ', 'password: hunter2secret! ') },
    { weight: 1, arbitrary: fc.constantFrom('DOB: 03/12/1984 ', 'Passport no. C01X00T47 ') },
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 80 }),
      fc.integer({ min: 1, max: 90 }),
      (parts, size) => {
        const text = parts.join('');
        expect(stream(text, size).text).toBe(inspectTexts([text], REDACT, 'response').texts[0]);
      },
    ),
    { numRuns: propertyRuns(1_000) },
  );
});

it('emits no half of a character', () => {
  const { emitted, text } = stream(`a${'😀'.repeat(500)}`, 2);
  expect(text).toBe(`a${'😀'.repeat(500)}`);
  expect(emitted.filter((chunk) => !chunk.isWellFormed())).toEqual([]);
});

it('retains no more than its window and a step', () => {
  const window = new StreamWindow(REDACT);
  let emitted = 0;
  for (let at = 0; at < FILLER.length; at += 4) {
    emitted += window.push(FILLER.slice(at, at + 4)).length;
    expect(at + 4 - emitted).toBeLessThanOrEqual(256 + 64 + 4);
  }
});

it('passes chunks at once without checks of responses', () => {
  const window = new StreamWindow(compileGuardrails({}, CATALOG));
  expect(window.push('Hello')).toBe('Hello');
  expect(window.flush()).toBe('');
});

it('retains an endless credential until it ends', () => {
  const { emitted, text } = stream(`key ${SECRET.repeat(2_000)} end ${FILLER}`, 1_000);
  expect(text).toBe(`key [REDACTED_API_KEY] end ${FILLER}`);
  expect(emitted.length).toBeGreaterThan(100);
});

it('rejects a chunk after the end', () => {
  const window = new StreamWindow(REDACT);
  window.flush();
  expect(() => window.push('late')).toThrow('the stream has ended');
});
