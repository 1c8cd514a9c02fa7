// Changes a cell of the access matrix, with a preview of all effects; other cases link to the list of rules.
import {
  type AccessMatrixAnswer,
  CELL_GOALS,
  type CellGoal,
  type MatrixChangePreview,
} from '@gatewarden/shared/wire/console/mcp-access-matrix.ts';
import { Button, Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useReload, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import type { OpenedCell } from './matrix-cell.ts';
import { publishTexts } from './publish-texts.ts';
import { RuleList } from './RuleList.tsx';
import '../policies/policies.css';

const words = publishTexts.matrix;

interface ChangeProps {
  opened: OpenedCell;
  groups: AccessMatrixAnswer['groups'];
  onClose: () => void;
}

export function ChangeAccess({ opened, groups, onClose }: ChangeProps) {
  const [isRules, setRules] = useState(opened.cell.access === 'some');
  const { server, group } = opened;
  return (
    <Dialog
      title={isRules ? words.rulesTitle(server.name) : words.dialogTitle}
      wide={isRules}
      onClosed={onClose}
    >
      {(close) =>
        isRules ? (
          <RuleList backendId={server.backend_id} />
        ) : (
          <div className="gw-form">
            <strong>
              <Name value={words.subject(group.name, server.name)} clamp />
            </strong>
            <GoalForm
              opened={opened}
              groups={groups}
              onRules={() => setRules(true)}
              onClose={close}
            />
          </div>
        )
      }
    </Dialog>
  );
}

function GoalForm({ opened, groups, onRules, onClose }: ChangeProps & { onRules: () => void }) {
  const { access } = opened.cell;
  const [goal, setGoal] = useState<CellGoal>(access === 'none' ? 'all' : 'none');
  const write = useTenantWrite();
  const reload = useReload();
  const body = {
    group_id: opened.group.group_id,
    backend_id: opened.server.backend_id,
    access: goal,
  };
  const preview = usePreview(body);
  const apply = useMutation({
    mutationFn: () => write('PUT', '/mcp/access-matrix', { body }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.applied });
      onClose();
    },
    onSettled: () => reload('mcp'),
  });
  const offered = CELL_GOALS.filter((item) => item !== (access === 'none' ? 'none' : 'all'));
  return (
    <>
      <Radio.Group
        label={words.goal}
        value={goal}
        onChange={(value) => setGoal(oneOf(CELL_GOALS, value) ?? 'none')}
      >
        <div className="gw-radios" data-column="">
          {offered.map((item) => (
            <Radio
              key={item}
              value={item}
              label={words.goals[item]}
              description={words.goalHints[item]}
            />
          ))}
        </div>
      </Radio.Group>
      <div className="gw-preview" role="status" data-testid="access-preview">
        <h3>{words.effect}</h3>
        <Waiting answer={preview} />
        {preview.data === undefined ? null : (
          <Changes preview={preview.data} opened={opened} groups={groups} />
        )}
      </div>
      {opened.server.user_rules > 0 ? (
        <p className="gw-flat gw-dimmed">{words.userRules(opened.server.user_rules)}</p>
      ) : null}
      <Refusal error={apply.error} conflict={words.impossible} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onRules}>
          {words.rules}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button
          loading={apply.isPending}
          disabled={preview.data?.is_possible !== true}
          onClick={() => apply.mutate()}
        >
          {words.apply}
        </Button>
      </div>
    </>
  );
}

/** Requests each preview again, because rules may have changed since the page was loaded. */
function usePreview(body: object) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  return useQuery({
    queryKey: [tenantId, 'access-matrix-preview', body],
    queryFn: ({ signal }) =>
      write<MatrixChangePreview>('POST', '/mcp/access-matrix/preview', { body, signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

function Changes({
  preview,
  opened,
  groups,
}: Pick<ChangeProps, 'opened' | 'groups'> & { preview: MatrixChangePreview }) {
  if (!preview.is_possible) return <p>{words.impossible}</p>;
  const groupName = (id: string | null) =>
    groups.find((group) => group.group_id === id)?.name ?? words.everyoneElse;
  const own = opened.group.group_id;
  const others = preview.changes.filter((change) => change.group_id !== own);
  const shown = preview.changes.filter((change) => change.group_id === own).concat(others);
  return (
    <>
      <ul className="gw-plain-list">
        {shown.map(({ group_id: id, from, to }) => (
          <li key={id ?? 'none'}>
            <Name value={words.line(groupName(id), words.access[from], words.access[to])} />
          </li>
        ))}
      </ul>
      {others.length === 0 ? <p>{words.nothing}</p> : null}
    </>
  );
}
