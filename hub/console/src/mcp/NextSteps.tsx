// The steps from a new MCP server to its first call, shown until the tools are approved and a user has called a tool.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Rule } from '@gatewarden/shared/wire/console/mcp-rules.ts';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rowsOf, useList, useTenant } from '../api/tenant.ts';
import { Section } from '../ui/Page.tsx';
import { publishTexts } from './publish-texts.ts';
import { useServerStatus } from './server-status.tsx';
import './mcp.css';

const words = publishTexts.steps;

export function NextSteps({ server }: { server: Backend }) {
  const { tenantId } = useTenant();
  const status = useServerStatus().get(server.id);
  const rules = useList<Rule>('mcp', '/mcp/rules', { backend_id: server.id });
  if (status === undefined || rules.data === undefined) return null;
  const ruleCount = rowsOf(rules).length;
  const isApproved = status.approved_tool_count > 0;
  const isUsed = status.adoption.gateway > 0;
  if (isApproved && isUsed) return null;
  return (
    <Section title={words.title}>
      <ol className="gw-checklist">
        <Step isDone={isApproved} text={words.approveText}>
          {words.approve}
        </Step>
        <Step
          isDone={ruleCount > 0}
          text={ruleCount > 0 ? words.accessRules(ruleCount) : words.accessOpen}
        >
          <Link to="/t/$tenantId/gateway/mcp-access" params={{ tenantId }} className="gw-link">
            {words.access}
          </Link>
        </Step>
        <Step isDone={isUsed} text={words.connectText}>
          <Link to="/t/$tenantId/my/connect" params={{ tenantId }} className="gw-link">
            {words.connect}
          </Link>
        </Step>
      </ol>
    </Section>
  );
}

interface StepProps {
  isDone: boolean;
  text: string;
  children: ReactNode;
}

function Step({ isDone, text, children }: StepProps) {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <li data-done={isDone ? '' : undefined}>
      <Icon size={20} stroke={1.8} aria-label={isDone ? words.done : words.open} role="img" />
      <span>
        <strong>{children}</strong>
        <br />
        <span className="gw-dimmed">{text}</span>
      </span>
    </li>
  );
}
