// Text to copy: shown complete, with a copy button, and scrollable by keyboard.
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts.ts';

interface CopyBlockProps {
  /** The name of the text for screen readers. */
  label: string;
  text: string;
}

export function CopyBlock({ label, text }: CopyBlockProps) {
  const clipboard = useClipboard({ timeout: 4_000 });
  return (
    <>
      <div className="gw-copy">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reachable by keyboard */}
        <section className="gw-copy-frame" aria-label={label} tabIndex={0}>
          <pre className="gw-mono gw-copy-text">{text}</pre>
        </section>
        <Button
          size="xs"
          variant="default"
          aria-label={`${texts.ui.copy}: ${label}`}
          onClick={() => {
            clipboard.copy(text);
          }}
        >
          {clipboard.copied ? texts.ui.copied : texts.ui.copy}
        </Button>
      </div>
      {clipboard.error === null ? null : (
        <p className="gw-flat gw-small gw-dimmed" role="alert">
          {texts.ui.copyFailed}
        </p>
      )}
    </>
  );
}
