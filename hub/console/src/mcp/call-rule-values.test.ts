import type { Rule, RuleDefinition } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { expect, test } from 'vitest';
import {
  callRuleErrors,
  EMPTY_CALL_RULE,
  inputOfCallRule,
  valuesOfCallRule,
} from './call-rule-values.ts';

const rule = (definition: RuleDefinition): Rule => ({
  id: 'r',
  name: 'n',
  backend_id: null,
  tool: 'send_*',
  definition,
  enabled: true,
  version: '"1"',
  created_at: '',
  updated_at: '',
});

test('restores each kind of call rule from its stored form', () => {
  const definitions: RuleDefinition[] = [
    { kind: 'arguments', schema: { type: 'object', required: ['to'] } },
    { kind: 'approval', by: 'reviewer', valid_minutes: 30 },
    {
      kind: 'guardrail',
      direction: 'output',
      action: 'redact',
      detectors: ['secrets', 'iban'],
      patterns: [{ name: 'ticket', pattern: 'T-[0-9]+ = x' }],
      words: ['project x'],
    },
  ];
  for (const definition of definitions) {
    const values = valuesOfCallRule(rule(definition));
    expect(callRuleErrors(values)).toEqual({});
    expect(inputOfCallRule(values)).toEqual({
      name: 'n',
      backend_id: null,
      tool: 'send_*',
      definition,
    });
  }
});

test('names the values that cannot be sent', () => {
  expect(callRuleErrors(EMPTY_CALL_RULE)).toHaveProperty('name');
  const named = { ...EMPTY_CALL_RULE, name: 'x' };
  expect(callRuleErrors({ ...named, detectors: [] })).toHaveProperty('detectors');
  expect(callRuleErrors({ ...named, patterns: 'no pattern' })).toHaveProperty('patterns');
  expect(callRuleErrors({ ...named, kind: 'arguments', schema: '[]' })).toHaveProperty('schema');
  expect(callRuleErrors(named)).toEqual({});
});
