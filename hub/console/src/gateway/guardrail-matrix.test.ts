// The guardrail matrix: reading stored settings, presets, and the settings that a change sends.
import type { GuardrailCategory } from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import { ACTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { expect, it } from 'vitest';
import {
  diffDetection,
  findPreset,
  mergeMatrix,
  PRESETS,
  presetMatrix,
  readMatrix,
} from './guardrail-matrix.ts';

const category = (id: string, actions = [...ACTIONS]): GuardrailCategory => ({
  ...{ id, name: id, subcategories: [], actions, scopes: ['request', 'response', 'both'] },
  has_detector: id !== 'toxicity',
});
const CATEGORIES = [
  category('pii'),
  category('secrets'),
  category('prompt_injection', ['monitor', 'block']),
];
const OFF = { action: 'off', sensitivity: 'medium', scope: 'both' };

it('reads stored settings with the defaults of the gateway', () => {
  expect(readMatrix(CATEGORIES, undefined)).toMatchObject({ pii: OFF, prompt_injection: OFF });
  const stored = {
    enabled_categories: { pii: true, secrets: true, prompt_injection: true },
    data_risk_action: 'redact',
    category_actions: { secrets: 'block' },
    category_sensitivities: { pii: ['low', 'high'] },
    category_scopes: { pii: 'request' },
  };
  expect(readMatrix(CATEGORIES, stored)).toEqual({
    pii: { action: 'redact', sensitivity: 'high', scope: 'request' },
    secrets: { action: 'block', sensitivity: 'medium', scope: 'both' },
    prompt_injection: { action: 'monitor', sensitivity: 'medium', scope: 'both' },
  });
});

it.each(PRESETS)('recognizes the preset %s, also after it was stored', (preset) => {
  const matrix = presetMatrix(CATEGORIES, preset);
  expect(findPreset(CATEGORIES, matrix)).toBe(preset);
  expect(findPreset(CATEGORIES, readMatrix(CATEGORIES, mergeMatrix({}, matrix)))).toBe(preset);
  expect(
    findPreset(CATEGORIES, { ...matrix, pii: { ...matrix.pii, action: 'off' } as never }),
  ).toBe(null);
});

it('chooses only actions that a category offers', () => {
  const [row] = Object.values(presetMatrix([category('secrets', ['monitor'])], 'strict'));
  expect(row).toMatchObject({ action: 'monitor' });
});

it('leaves content without a detector off in every preset', () => {
  for (const preset of PRESETS) {
    expect(presetMatrix([category('toxicity')], preset)).toEqual({ toxicity: OFF });
  }
});

it('sends the rows that differ, and switches a category off', () => {
  const before = presetMatrix(CATEGORIES, 'balanced');
  expect(diffDetection(before, before)).toBeUndefined();
  const after = { ...before, secrets: { ...before.secrets, action: 'off' } as never };
  expect(diffDetection(before, after)).toEqual({
    count: 1,
    settings: {
      enabled_categories: { secrets: false },
      ...{ category_actions: {}, category_sensitivities: {}, category_scopes: {} },
    },
  });
});

it('merges a matrix over settings of subcategories', () => {
  const stored = { enabled_categories: { iban: false }, agent_purpose: 'Help' };
  expect(mergeMatrix(stored, presetMatrix([category('pii')], 'strict'))).toMatchObject({
    agent_purpose: 'Help',
    enabled_categories: { iban: false, pii: true },
    category_actions: { pii: 'redact' },
  });
});
