// What a person is asked before a call is let through, and what counts as their yes.
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';

interface Asked {
  backend: { name: string };
  tool: string | null;
  params: Record<string, unknown>;
}

const FORM = {
  type: 'object',
  properties: {
    approve: { type: 'boolean', title: 'Approve this call', default: false },
  },
  required: ['approve'],
};

const SHOWN_CHARS = 2_000;

/** The question as an elicitation has it. */
export function questionOf({ backend, tool, params }: Asked) {
  const all = stringifyLossless(params.arguments ?? {});
  const more = all.length - SHOWN_CHARS;
  const shown = more > 0 ? `${all.slice(0, SHOWN_CHARS)}… (and ${more} characters more)` : all;
  const message = `Allow a call of the tool "${tool}" of "${backend.name}" with ${shown}?`;
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: FORM } };
}

/** Whether a client's answer to it is the person's yes. */
export const saysYes = (answer: unknown) =>
  isObject(answer) &&
  answer.action === 'accept' &&
  isObject(answer.content) &&
  answer.content.approve === true;
