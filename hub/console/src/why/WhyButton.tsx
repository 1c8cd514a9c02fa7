// The button on a policy, block or alert that opens its trace, which has an address.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { WhyAddress } from './address.ts';
import { whyTexts as words } from './texts.ts';

interface WhyProps {
  of: WhyAddress;
  /** The subject for screen readers, with invisible characters made visible. */
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
