// Instructions for clients: those of the server at its own URL, and the merged instructions of all servers of the caller at the
// aggregated URL, each under its name. Access policies, guardrails and pins apply as for tools.

import {
  type Guardrails,
  guardMessage,
  noFindings,
  selectGuardrails,
} from '../guardrails/index.ts';
import { BlockedError, nullOnRpcError, type RpcMessage } from '../protocol/index.ts';
import type { ToolPins } from '../tool-pinning/index.ts';
import type { Backend } from '../upstream/index.ts';
import { instructionsRequest, instructionText, type listRequest } from './list-requests.ts';
import type { ServerLists } from './lists.ts';

/** Limits in characters. Longer instructions are truncated, with a mark. */
export const INSTRUCTION_LIMITS = {
  /** At a server's own URL. */
  own: 65_536,
  /** At the aggregated URL: per server, and in total. */
  perServer: 4_000,
  total: 16_000,
};

const INTRODUCTION = 'Tools of several servers. Each name starts with its server.';

type InstructionsContext = Parameters<typeof listRequest>[0] & {
  tenantId: string;
  isAggregated: boolean;
  backends: readonly Backend[];
  lists: ServerLists;
  pins: ToolPins;
  guardrails: Guardrails;
};

/** Returns the instructions, or null. A server that is slow or fails is left out. */
export async function mergeInstructions(scene: InstructionsContext): Promise<string | null> {
  if (!scene.isAggregated) {
    const [backend] = scene.backends;
    const text = backend === undefined ? null : await permittedInstructions(scene, backend);
    return text === null ? null : truncate(text, INSTRUCTION_LIMITS.own);
  }
  const sections = await Promise.all(
    scene.backends
      .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
      .map(async (backend) => {
        const text = await permittedInstructions(scene, backend);
        return text === null ? [] : [sectionOf(backend, text)];
      }),
  );
  return joinSections(sections.flat());
}

/** Joins sections up to the total limit, with a note about omitted sections. */
export function joinSections(sections: readonly string[]): string {
  const parts = [INTRODUCTION];
  let left = INSTRUCTION_LIMITS.total - INTRODUCTION.length;
  let omitted = 0;
  for (const section of sections) {
    if (section.length + 2 > left) omitted++;
    else {
      parts.push(section);
      left -= section.length + 2;
    }
  }
  if (omitted > 0) parts.push(`(Instructions of ${omitted} more servers omitted.)`);
  return parts.join('\n\n');
}

const sectionOf = ({ name, slug }: Backend, text: string) =>
  `# ${name.replaceAll(/\s+/g, ' ')} (${slug})\n\n${truncate(text, INSTRUCTION_LIMITS.perServer)}`;

function truncate(text: string, max: number): string {
  const trimmed = text.trim();
  return trimmed.length <= max ? trimmed : `${trimmed.slice(0, max).toWellFormed()}… [cut]`;
}

async function permittedInstructions(
  scene: InstructionsContext,
  backend: Backend,
): Promise<string | null> {
  if (!backend.hasAnyAccess()) return null;
  const text = instructionText(
    (await nullOnRpcError(scene.lists.get(instructionsRequest(scene, backend)))) ?? [],
  );
  if (text === null || !(await scene.pins.mayShowInstructions(backend, text))) return null;
  const set = await scene.guardrails.get(scene.tenantId);
  const rules = set === null ? null : selectGuardrails(set, { backend, tool: null });
  if (rules === null) return text;
  // Instructions belong to no tool, so the guardrails for all tools apply.
  const message: RpcMessage = { jsonrpc: '2.0', method: 'instructions', params: { text } };
  try {
    const safe = guardMessage(rules.output, message, noFindings())?.params?.text;
    return typeof safe === 'string' ? safe : null;
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
    return null;
  }
}
