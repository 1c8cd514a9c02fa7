// Erases a user from the hub after the name is typed. The result lists the erased records, and groups with rules that name the
// user.
import type { EraseAnswer } from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { GroupLink } from '../groups/GroupLink.tsx';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { eraseTexts as words } from './erase-texts.ts';

interface ErasePersonProps {
  person: string;
  onClosed: () => void;
}

export function ErasePerson({ person, onClosed }: ErasePersonProps) {
  // The dialog keeps its user, because the erasure changes the user of the device on the page behind.
  const [subject] = useState(person);
  return (
    <Dialog title={words.title} onClosed={onClosed}>
      {(close) => <EraseForm person={subject} close={close} />}
    </Dialog>
  );
}

function EraseForm({ person, close }: { person: string; close: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () =>
      write<EraseAnswer>('POST', `/people/${encodeURIComponent(person)}/erase`, { body: {} }),
    onSuccess: () => {
      for (const topic of ['devices', 'applications', 'alerts', 'overrides'] as const) {
        reload(topic);
      }
    },
  });
  if (erase.isSuccess) return <Gone answer={erase.data} close={close} />;
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === person) erase.mutate();
      }}
    >
      <strong>
        <Name value={person} clamp />
      </strong>
      <p className="gw-dimmed gw-flat">{words.text}</p>
      <TextInput
        label={words.typeIt}
        value={typed}
        maxLength={128}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {erase.isError ? <ErrorPanel error={erase.error} title={words.failed} /> : null}
      <div className="gw-form-end">
        <Button variant="default" onClick={close}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" color="red" disabled={typed !== person} loading={erase.isPending}>
          {words.erase}
        </Button>
      </div>
    </form>
  );
}

function Gone({ answer, close }: { answer: EraseAnswer; close: () => void }) {
  return (
    <div className="gw-form" role="status">
      <ul className="gw-plain-list" data-testid="erased">
        {words.counts(answer).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {answer.group_rules.length === 0 ? null : (
        <div>
          {words.groupRules}
          <ul className="gw-plain-list">
            {answer.group_rules.map((group) => (
              <li key={group.group_id}>
                <GroupLink groupId={group.group_id} name={group.name} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="gw-form-end">
        <Button variant="default" onClick={close} data-autofocus>
          {texts.ui.close}
        </Button>
      </div>
    </div>
  );
}
