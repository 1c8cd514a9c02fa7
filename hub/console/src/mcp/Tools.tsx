// The tools of a server: the approved and the current version side by side, and the users who may call them.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { PinnedTool, PinnedTools } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMayAdminister, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ApproveTools } from './ApproveTools.tsx';
import { TaskOnly } from './TaskOnly.tsx';
import { ToolDiff } from './ToolDiff.tsx';
import { ToolName } from './ToolName.tsx';
import { WhoMay } from './WhoMay.tsx';

const words = texts.mcp.tools;

export function Tools({ server }: { server: Backend }) {
  const answer = useResource<PinnedTools>('mcp', `/mcp/backends/${server.id}/tools`);
  const mayAdminister = useMayAdminister();
  const tools = answer.data?.tools;
  const drifted = tools?.filter((item) => item.state !== 'pinned').length ?? 0;
  return (
    <Section
      title={words.title}
      aside={
        mayAdminister && tools !== undefined ? (
          <ApproveTools server={server} isFirst={tools.length === 0} />
        ) : undefined
      }
    >
      {tools === undefined ? <Waiting answer={answer} /> : null}
      {tools?.length === 0 ? <p className="gw-dimmed gw-flat">{words.notApproved}</p> : null}
      {drifted > 0 ? (
        <p className="gw-flat" role="status">
          <Badge tone="warn" dot>
            {words.drifted(drifted)}
          </Badge>
        </p>
      ) : null}
      {tools !== undefined && tools.length > 0 ? (
        <DataTable
          caption={words.title}
          columns={toolColumns(server)}
          rows={tools}
          rowKey={(row) => `${row.kind} ${row.name}`}
          rowTestId="mcp-tool-row"
        />
      ) : null}
    </Section>
  );
}

const TONES: Record<PinnedTool['state'], Tone> = { pinned: 'good', changed: 'warn', new: 'info' };

const toolColumns = (server: Backend): readonly Column<PinnedTool>[] => [
  {
    key: 'name',
    weight: 2,
    header: words.name,
    render: (row) => (
      <>
        <ToolName tool={row} />
        <TaskOnly definition={row.seen ?? row.pinned} />
      </>
    ),
  },
  {
    key: 'state',
    header: words.state,
    render: (row) => (
      <Badge tone={TONES[row.state]} dot>
        {words.states[row.state]}
      </Badge>
    ),
  },
  {
    key: 'seen',
    header: words.seen,
    render: (row) => (row.seen_at === null ? '' : <Time at={row.seen_at} />),
  },
  {
    key: 'actions',
    weight: 1.5,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <ToolActions server={server} tool={row} />,
  },
];

function ToolActions({ server, tool }: { server: Backend; tool: PinnedTool }) {
  const [opened, setOpened] = useState<'review' | 'who' | null>(null);
  const close = () => {
    setOpened(null);
  };
  return (
    <div className="gw-row-actions">
      {tool.state === 'pinned' ? null : (
        <Button
          size="xs"
          variant="default"
          aria-label={words.reviewNamed(tool.name)}
          onClick={() => setOpened('review')}
        >
          {words.review}
        </Button>
      )}
      {tool.kind === 'tool' ? (
        <Button
          size="xs"
          variant="default"
          aria-label={words.whoNamed(tool.name)}
          onClick={() => setOpened('who')}
        >
          {words.who}
        </Button>
      ) : null}
      {opened === 'review' ? <Review tool={tool} onClose={close} /> : null}
      {opened === 'who' ? (
        <Dialog title={words.whoTitle} wide onClosed={close}>
          {() => <WhoMay server={server} tool={tool.name} />}
        </Dialog>
      ) : null}
    </div>
  );
}

function Review({ tool, onClose }: { tool: PinnedTool; onClose: () => void }) {
  return (
    <Dialog title={words.reviewTitle} wide onClosed={onClose}>
      {(close) => (
        <div className="gw-form">
          <strong>
            <ToolName tool={tool} />
          </strong>
          <ToolDiff before={tool.pinned} after={tool.seen} />
          <div className="gw-form-end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.ui.close}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
