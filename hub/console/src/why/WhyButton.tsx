// The button on a policy, block or alert that opens its trace, which has an address.
import { Button } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { RowAction } from '../ui/RowAction.tsx';
import type { WhyAddress } from './address.ts';
import { whyTexts as words } from './texts.ts';

interface WhyProps {
  of: WhyAddress;
  /** The subject for screen readers, with invisible characters made visible. */
  name: string;
  /** Shows the button as an icon, for the row of a dense table. */
  compact?: boolean;
}

export function WhyButton({ of, name, compact = false }: WhyProps) {
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: '.', search: (former) => ({ ...former, why: of }), resetScroll: false });
  if (compact) {
    return (
      <RowAction
        label={words.why}
        fullLabel={words.whyNamed(name)}
        Icon={IconHelp}
        onClick={open}
      />
    );
  }
  return (
    <Button size="xs" variant="default" aria-label={words.whyNamed(name)} onClick={open}>
      {words.why}
    </Button>
  );
}
