// One button on any decision, block or alert: it opens the chain behind it, at an address of its own.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { WhyAddress } from './address.ts';
import { whyTexts as words } from './texts.ts';

interface WhyProps {
  of: WhyAddress;
  /** What it is about, for who hears the button and does not see its row; made visible. */
  name: string;
}

export function WhyButton({ of, name }: WhyProps) {
  const navigate = useNavigate();
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={words.whyNamed(name)}
      onClick={() =>
        void navigate({ to: '.', search: (former) => ({ ...former, why: of }), resetScroll: false })
      }
    >
      {words.why}
    </Button>
  );
}
