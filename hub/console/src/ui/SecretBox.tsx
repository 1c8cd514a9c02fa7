// A secret that is shown once, to be copied by button or by hand. Escape does not close it.
import { Button, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts.ts';
import { useHeldOpen } from './Dialog.tsx';

interface SecretBoxProps {
  label: string;
  hint: string;
  secret: string;
  note: string;
  onDone: () => void;
}

export function SecretBox({ label, hint, secret, note, onDone }: SecretBoxProps) {
  useHeldOpen();
  const clipboard = useClipboard({ timeout: 4_000 });
  return (
    <div className="gw-form">
      <p className="gw-flat">{note}</p>
      <TextInput
        label={label}
        description={hint}
        value={secret}
        readOnly
        data-autofocus
        className="gw-mono"
        onFocus={(event) => {
          event.currentTarget.select();
        }}
      />
      <div className="gw-form-end">
        <Button
          variant="default"
          onClick={() => {
            clipboard.copy(secret);
          }}
        >
          {texts.ui.copySecret}
        </Button>
        <Button onClick={onDone}>{texts.ui.secretKept}</Button>
      </div>
      <p className="gw-flat gw-small gw-dimmed" role="status">
        {clipboard.copied ? texts.ui.copied : ''}
        {clipboard.error === null ? '' : texts.ui.copyFailed}
      </p>
    </div>
  );
}
