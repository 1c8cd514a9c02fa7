// Texts of the guardrail matrix of an app and of its trial.
import type {
  GuardrailDirection,
  GuardrailOutcome,
} from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import type { Action, DetectionScope } from '@gatewarden/shared/wire/management/app-config.ts';
import { counted } from '../ui/counted.ts';
import type { Preset, Sensitivity } from './guardrail-matrix.ts';

export const guardrailTexts = {
  title: 'Guardrails',
  lead: 'What the gateway looks for in requests and responses of this app, and what it does with it.',
  preset: 'Preset',
  presets: {
    monitor: 'Monitor only',
    balanced: 'Balanced',
    strict: 'Strict',
  } satisfies Record<Preset, string>,
  custom: 'Custom settings',
  category: 'Content',
  needsModel: 'Detected only by a node with a model',
  action: 'Action',
  sensitivity: 'Sensitivity',
  scope: 'Applies to',
  field: (category: string, field: string) => `${category}: ${field}`,
  actions: {
    off: 'Off',
    monitor: 'Log only',
    'partial-redact': 'Redact partly',
    redact: 'Redact',
    block: 'Block',
  } satisfies Record<Action | 'off', string>,
  sensitivities: {
    low: 'Low',
    medium: 'Medium',
    high: 'High',
  } satisfies Record<Sensitivity, string>,
  scopes: {
    request: 'Requests',
    response: 'Responses',
    both: 'Both',
  } satisfies Record<DetectionScope, string>,
  advanced:
    'Subcategories and custom detections are on the tab Settings, section Detection, under Advanced.',
  changes: (count: number) => counted(count, 'category changed', 'categories changed'),
  save: 'Save guardrails',
  discard: 'Discard',
  saved: 'Guardrails saved.',
  trial: 'Try it on a text',
  trialLead: 'Runs the settings above, saved or not. The text is not stored.',
  text: 'Text',
  direction: 'As',
  directions: {
    request: 'Request',
    response: 'Response',
  } satisfies Record<GuardrailDirection, string>,
  run: 'Run guardrails',
  outcomes: {
    pass: 'Nothing detected',
    monitor: 'Passes, logged',
    'partial-redact': 'Partly redacted',
    redact: 'Redacted',
    block: 'Blocked',
  } satisfies Record<GuardrailOutcome, string>,
  sent: 'Text after redaction',
} as const;
