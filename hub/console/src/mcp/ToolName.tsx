// The name of a tool at its server, with a warning if clients see another name.
import type { PinnedTool } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';

const words = texts.mcp.tools;

export function ToolName({ tool }: { tool: Pick<PinnedTool, 'kind' | 'name' | 'exposed_name'> }) {
  if (tool.kind === 'instructions') return <span>{words.instructions}</span>;
  return (
    <>
      <Name value={tool.name} clamp mono />
      {tool.exposed_name === null ? null : (
        <div className="gw-small">
          <Badge tone="warn">{words.renamed}</Badge> {words.renamedWhy}{' '}
          <Name value={tool.exposed_name} mono />
        </div>
      )}
    </>
  );
}
