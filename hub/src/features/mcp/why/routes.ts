// C/mcp/tool-calls/{log_id}/why: from a tool call to the rules that held, and who set them.
import { ToolCallWhy, ToolCallWhyParams } from '@gatewarden/shared/wire/console/call-why.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectToolCall } from '../../logs/console/index.ts';
import { type ChainDeps, chainOf } from './chain.ts';

export function registerToolCallWhy(app: App, deps: ChainDeps): void {
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
      return { ...(await chainOf(deps, tenantId, row)), request_id: request.id };
    },
  );
}
