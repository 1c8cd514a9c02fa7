// Marks a tool that its server runs only as a task, and explains why the gateway does not offer the tool.
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';

const words = texts.mcp.tools;

export function TaskOnly({ definition }: { definition: Record<string, unknown> | null }) {
  const execution = definition?.execution as { taskSupport?: unknown } | null | undefined;
  if (execution?.taskSupport !== 'required') return null;
  return (
    <div className="gw-small">
      <Badge tone="warn">{words.taskOnly}</Badge> {words.taskOnlyWhy}
    </div>
  );
}
