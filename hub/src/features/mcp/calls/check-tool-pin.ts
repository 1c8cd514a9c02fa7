// Step checkToolPin: a tool whose definition differs from its pin is refused until a review, if the backend hides drift.
import { listRequest, withSharedCredentials } from '../catalog/index.ts';
import { recordAccess, subjectOf } from './authorize-tool.ts';
import { notAvailable } from './blocked.ts';
import type { CallTrace } from './call-trace.ts';
import type { CallContext, ResolvedCall } from './context.ts';

/** Throws BlockedError for a call of a tool under review. */
export async function checkToolPin(
  context: CallContext,
  { backend, tool }: ResolvedCall,
  trace: CallTrace | null,
): Promise<void> {
  if (tool === null || backend.drift !== 'hide') return;
  if (!(await isUnderReview(context, { backend, tool }))) return;
  recordAccess(trace, backend.version, 'tool_under_review');
  const reason = 'it changed since its approval and is waiting for review';
  throw notAvailable(subjectOf({ backend, tool }), 'tool_under_review', reason);
}

/**
 * A server may change a tool without notice, and its clients may never list tools, so the list is loaded here. A recent list
 * can allow the call but not refuse it, because the tool may have been approved since. Without a list the last one counts.
 */
async function isUnderReview(
  context: CallContext,
  { backend, tool }: { backend: ResolvedCall['backend']; tool: string },
): Promise<boolean> {
  const { pins, lists } = context;
  if ((await pins.reviewOf(backend, tool)) === null) return false;
  const request = withSharedCredentials(listRequest(context, backend, 'tools/list'));
  const recent = await lists.getRecent(request);
  if (recent !== null && (await pins.mayCall(backend, tool, recent))) return false;
  return !(await pins.mayCall(backend, tool, await lists.getWithoutDelay(request)));
}
