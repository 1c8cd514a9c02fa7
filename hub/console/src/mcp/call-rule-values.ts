// The values of a call rule's form, their validation, and the request from them. Pure.
import {
  DETECTORS,
  type Detector,
  type Rule,
  type RuleDefinition,
  type RuleInput,
} from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { callRuleTexts as t } from './call-rule-texts.ts';

export const KINDS = ['guardrail', 'arguments', 'approval'] as const;

export interface CallRuleValues {
  name: string;
  kind: RuleDefinition['kind'];
  /** Empty for all servers. */
  backend: string;
  tool: string;
  schema: string;
  by: 'caller' | 'reviewer';
  minutes: number | string;
  direction: 'input' | 'output' | 'both';
  action: 'monitor' | 'redact' | 'block';
  detectors: Detector[];
  /** A pattern per line: `name = pattern`. */
  patterns: string;
  words: string[];
}

export const EMPTY_CALL_RULE: CallRuleValues = {
  name: '',
  kind: 'guardrail',
  backend: '',
  tool: '*',
  schema: '{\n  "type": "object"\n}',
  by: 'caller',
  minutes: 10,
  direction: 'both',
  action: 'block',
  detectors: ['secrets'],
  patterns: '',
  words: [],
};

export function toCallRuleValues({ name, backend_id, tool, definition }: Rule): CallRuleValues {
  const base = { ...EMPTY_CALL_RULE, name, tool, backend: backend_id ?? '', kind: definition.kind };
  if (definition.kind === 'arguments') {
    return { ...base, schema: JSON.stringify(definition.schema, null, 2) };
  }
  if (definition.kind === 'approval') {
    return { ...base, by: definition.by, minutes: definition.valid_minutes ?? base.minutes };
  }
  return {
    ...base,
    direction: definition.direction,
    action: definition.action,
    detectors: definition.detectors ?? [],
    patterns: (definition.patterns ?? [])
      .map((item) => `${item.name} = ${item.pattern}`)
      .join('\n'),
    words: definition.words ?? [],
  };
}

/** Returns the errors by field; no entry if the values can be sent. */
export function validateCallRule(
  values: CallRuleValues,
): Partial<Record<keyof CallRuleValues, string>> {
  const errors: Partial<Record<keyof CallRuleValues, string>> = {};
  if (values.name.trim() === '') errors.name = t.needName;
  if (values.kind === 'arguments' && parseSchema(values.schema) === null) errors.schema = t.badJson;
  if (values.kind === 'guardrail') {
    const patterns = parsePatterns(values.patterns);
    if (patterns === null) errors.patterns = t.badPatterns;
    else if (patterns.length + values.words.length + values.detectors.length === 0) {
      errors.detectors = t.needSomething;
    }
  }
  return errors;
}

export function toCallRuleInput(values: CallRuleValues): RuleInput {
  return {
    name: values.name.trim(),
    backend_id: values.backend === '' ? null : values.backend,
    tool: values.tool.trim() === '' ? '*' : values.tool.trim(),
    definition: toDefinition(values),
  };
}

function toDefinition(values: CallRuleValues): RuleDefinition {
  if (values.kind === 'arguments') {
    return { kind: 'arguments', schema: parseSchema(values.schema) ?? {} };
  }
  if (values.kind === 'approval') {
    return { kind: 'approval', by: values.by, valid_minutes: Number(values.minutes) || 10 };
  }
  const patterns = parsePatterns(values.patterns) ?? [];
  return {
    kind: 'guardrail',
    direction: values.direction,
    action: values.action,
    ...(values.detectors.length === 0
      ? {}
      : { detectors: DETECTORS.filter((item) => values.detectors.includes(item)) }),
    ...(patterns.length === 0 ? {} : { patterns }),
    ...(values.words.length === 0 ? {} : { words: values.words }),
  };
}

function parseSchema(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isMap ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Returns null if a line is not a pattern. */
function parsePatterns(text: string): { name: string; pattern: string }[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matches = lines.map((line) => /^\s*([a-z0-9_-]{1,40})\s*=\s*(.+)$/.exec(line));
  if (matches.some((item) => item === null)) return null;
  return matches.map((item) => ({ name: item?.[1] ?? '', pattern: item?.[2]?.trim() ?? '' }));
}
