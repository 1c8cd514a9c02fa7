// The states of LLM requests and tool calls, without the schema library that the wire file imports.
import type {
  LLM_STATUSES as STATUSES,
  CALL_VERDICTS as VERDICTS,
} from '@gatewarden/shared/wire/console/logs.ts';

export const LLM_STATUSES = ['passed', 'blocked', 'failed'] as const satisfies typeof STATUSES;

export const CALL_VERDICTS = [
  'passed',
  'blocked',
  'failed',
  'incomplete',
] as const satisfies typeof VERDICTS;

/** The colors of series by status and verdict. */
export const STATUS_COLORS = { passed: '4', blocked: 'worst', failed: '2', incomplete: 'other' };
