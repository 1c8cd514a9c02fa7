// The way from a new MCP server to its first call: shown until its tools are approved.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { PinnedTools } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Section } from '../ui/Page.tsx';

const words = texts.mcp.nextSteps;

export function NextSteps({ server }: { server: Backend }) {
  const { tenantId } = useTenant();
  const answer = useResource<PinnedTools>('mcp', `/mcp/backends/${server.id}/tools`);
  if (answer.data === undefined || answer.data.tools.length > 0) return null;
  return (
    <Section title={words.title}>
      <ol className="gw-steps">
        <li>
          <strong>{words.approve}</strong> {words.approveText}
        </li>
        <li>
          <Link to="/t/$tenantId/gateway/mcp-access" params={{ tenantId }} className="gw-link">
            {words.access}
          </Link>{' '}
          {words.accessText}
        </li>
        <li>
          <Link to="/t/$tenantId/my/connect" params={{ tenantId }} className="gw-link">
            {words.connect}
          </Link>{' '}
          {words.connectText}
        </li>
      </ol>
    </Section>
  );
}
