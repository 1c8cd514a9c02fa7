// Confirms a destructive action, runs it, and shows its error.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../texts.ts';
import { useAsAsked } from './as-asked.ts';
import { Dialog } from './Dialog.tsx';
import { Name } from './Name.tsx';
import '../policies/policies.css';
import { Refusal } from './Refusal.tsx';

export interface ConfirmDialogProps {
  title: string;
  /** The displayed name of the subject. */
  name?: string;
  text: string;
  action: string;
  run: () => Promise<unknown>;
  /** The notification after success. */
  done: string;
  onClose: () => void;
  onDone?: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} onClosed={props.onClose}>
      {(close) => <Question {...props} onClose={close} />}
    </Dialog>
  );
}

function Question({ name, text, action, run, done, onClose, onDone }: ConfirmDialogProps) {
  const doIt = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: done });
      onClose();
      onDone?.();
    },
  });
  const asked = useAsAsked({ name, run }, doIt.error);
  return (
    <div className="gw-form">
      {asked.name === undefined ? null : (
        <strong>
          <Name value={asked.name} clamp />
        </strong>
      )}
      <p className="gw-dimmed gw-flat">{text}</p>
      <Refusal error={doIt.error} conflict={texts.ui.changedMeanwhile} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          color="red"
          loading={doIt.isPending}
          onClick={() => {
            doIt.mutate(asked.run);
          }}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}
