// The ways into the policy control: Approve, Block and Set policy, as buttons or as the menu of a row.
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Menu } from '@mantine/core';
import { visible } from '../ui/visible.ts';
import { policyTexts } from './policy-texts.ts';

interface PolicyActionsProps {
  /** Opens the control; `approval` is the step chosen with it, if any. */
  onOpen: (approval?: ApprovalStatus) => void;
}

export function PolicyButtons({ onOpen }: PolicyActionsProps) {
  return (
    <>
      <Button size="xs" onClick={() => onOpen('approved')}>
        {policyTexts.approve}
      </Button>
      <Button size="xs" color="red" onClick={() => onOpen('blocked')}>
        {policyTexts.block}
      </Button>
      <Button size="xs" variant="default" onClick={() => onOpen()}>
        {policyTexts.set}
      </Button>
    </>
  );
}

export function PolicyMenu({ name, onOpen }: PolicyActionsProps & { name: string }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={policyTexts.actionsFor(visible(name))}
        >
          …
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen('approved')}>{policyTexts.approve}</Menu.Item>
        <Menu.Item onClick={() => onOpen('blocked')}>{policyTexts.block}</Menu.Item>
        <Menu.Item onClick={() => onOpen()}>{policyTexts.set}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
