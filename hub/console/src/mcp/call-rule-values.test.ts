import type { Rule, RuleDefinition } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { expect, test } from 'vitest';
import {
  EMPTY_CALL_RULE,
  toCallRuleInput,
  toCallRuleValues,
  validateCallRule,
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
    const values = toCallRuleValues(rule(definition));
    expect(validateCallRule(values)).toEqual({});
    expect(toCallRuleInput(values)).toEqual({
      name: 'n',
      backend_id: null,
      tool: 'send_*',
      definition,
    });
  }
});

test('names the values that cannot be sent', () => {
  expect(validateCallRule(EMPTY_CALL_RULE)).toHaveProperty('name');
  const named = { ...EMPTY_CALL_RULE, name: 'x' };
  expect(validateCallRule({ ...named, detectors: [] })).toHaveProperty('detectors');
  expect(validateCallRule({ ...named, patterns: 'no pattern' })).toHaveProperty('patterns');
  expect(validateCallRule({ ...named, kind: 'arguments', schema: '[]' })).toHaveProperty('schema');
  expect(validateCallRule(named)).toEqual({});
});
