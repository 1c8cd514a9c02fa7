// C/mcp/tool-calls/{log_id}/why: the trace of a tool call.
import { ToolCallWhy, ToolCallWhyParams } from '@gatewarden/shared/wire/console/call-why.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectToolCall } from '../../logs/console/index.ts';
import { type TraceDeps, traceCall } from './chain.ts';

export function registerCallTrace(app: App, deps: TraceDeps): void {
  app.get(
    '/mcp/tool-calls/:log_id/why',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['why'],
        summary: 'Explain a tool call by its rules and their authors',
        params: ToolCallWhyParams,
        response: { 200: ToolCallWhy },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const row = await selectToolCall(deps.db, tenantId, request.params.log_id);
      if (row === null) throw new HubError('not_found');
      return { ...(await traceCall(deps, tenantId, row)), request_id: request.id };
    },
  );
}
