// A signing secret, the one time that it is shown: to be copied by button or by hand.
import { Button, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts.ts';

interface SecretBoxProps {
  secret: string;
  note: string;
  onDone: () => void;
}

export function SecretBox({ secret, note, onDone }: SecretBoxProps) {
  const clipboard = useClipboard({ timeout: 4_000 });
  return (
    <div className="gw-form">
      <p className="gw-flat">{note}</p>
      <TextInput
        label={texts.routes.secret}
        description={texts.routes.secretHint}
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
          {texts.routes.copySecret}
        </Button>
        <Button onClick={onDone}>{texts.routes.secretKept}</Button>
      </div>
      <p className="gw-flat gw-small gw-dimmed" role="status">
        {clipboard.copied ? texts.ui.copied : ''}
        {clipboard.error === null ? '' : texts.routes.copyFailed}
      </p>
    </div>
  );
}
