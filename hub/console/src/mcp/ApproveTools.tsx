// Approves the tools of a server. The dialog requests the list from the server, and approves exactly the shown tools.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { ListedTool, ListedTools } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readJson, tenantPath } from '../api/client.ts';
import { useReload, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { TaskOnly } from './TaskOnly.tsx';
import { ToolDiff } from './ToolDiff.tsx';
import { ToolName } from './ToolName.tsx';
import '../policies/policies.css';

const words = texts.mcp.tools;

interface ApproveProps {
  server: Backend;
  isFirst: boolean;
}

export function ApproveTools({ server, isFirst }: ApproveProps) {
  const [isOpen, setOpen] = useState(false);
  const action = isFirst ? words.approve : words.approveAgain;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {action}
      </Button>
      {isOpen ? (
        <Dialog title={words.approveTitle} wide onClosed={() => setOpen(false)}>
          {(close) => <ApprovalForm server={server} action={action} onClose={close} />}
        </Dialog>
      ) : null}
    </>
  );
}

interface ApprovalFormProps {
  server: Backend;
  action: string;
  onClose: () => void;
}

function ApprovalForm({ server, action, onClose }: ApprovalFormProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const path = `/mcp/backends/${server.id}`;
  const answer = useListedTools(path);
  const listed = answer.isFetching ? undefined : answer.data;
  const approve = useMutation({
    mutationFn: (digest: string) => write('POST', `${path}/pin-tools?digest=${digest}`),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.approved });
      onClose();
    },
    onError: () => void answer.refetch(),
    onSettled: () => reload('mcp'),
  });
  return (
    <div className="gw-form">
      <strong>
        <Name value={server.name} clamp />
      </strong>
      <p className="gw-dimmed gw-flat">{words.approveText}</p>
      <Waiting answer={answer} />
      {answer.data?.tools.length === 0 ? <p className="gw-flat">{words.listedNone}</p> : null}
      <ul className="gw-plain-list" data-testid="listed-tools">
        {answer.data?.tools.map((tool) => (
          <li key={`${tool.kind} ${tool.name}`}>
            <ListedToolDetails tool={tool} />
          </li>
        ))}
      </ul>
      <Refusal error={approve.error} conflict={words.listChanged} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          color="red"
          loading={approve.isPending}
          disabled={listed === undefined}
          onClick={() => {
            if (listed !== undefined) approve.mutate(listed.digest);
          }}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}

/** Requests the tools of the server whenever the dialog opens, but not after changes of the page. */
function useListedTools(path: string) {
  const { tenantId } = useTenant();
  return useQuery({
    queryKey: [tenantId, 'listed-tools', path],
    queryFn: ({ signal }) =>
      readJson<ListedTools>(`${tenantPath(tenantId)}${path}/tools/listed`, {}, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const TONES: Record<ListedTool['state'], Tone> = {
  pinned: 'good',
  changed: 'warn',
  new: 'info',
  gone: 'plain',
};

/** The details of a changed tool are open, because the user must read them. */
function ListedToolDetails({ tool }: { tool: ListedTool }) {
  return (
    <details open={tool.state === 'changed'}>
      <summary>
        <ToolName tool={tool} />{' '}
        <Badge tone={TONES[tool.state]} dot>
          {words.listedStates[tool.state]}
        </Badge>
        {typeof tool.now?.description === 'string' ? (
          <div className="gw-dimmed gw-small">
            <Name value={tool.now.description} />
          </div>
        ) : null}
        <TaskOnly definition={tool.now} />
      </summary>
      <ToolDiff before={tool.pinned} after={tool.now} />
    </details>
  );
}
