// A tool that its server lets be called as a task only: that, and why, nobody is offered it.
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
