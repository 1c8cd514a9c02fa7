// An action of a row as an icon, so that the row has room for its names. The label is the tooltip.
import { ActionIcon } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface RowActionProps {
  /** The action, for the tooltip. */
  label: string;
  /** The action with the name of the row, for screen readers. */
  fullLabel?: string;
  Icon: ComponentType<IconProps>;
  loading?: boolean;
  onClick: () => void;
}

export function RowAction({ label, fullLabel = label, Icon, loading, onClick }: RowActionProps) {
  return (
    <ActionIcon
      data-icon
      size={28}
      variant="default"
      aria-label={fullLabel}
      title={label}
      loading={loading ?? false}
      onClick={onClick}
    >
      <Icon size={16} stroke={1.8} aria-hidden />
    </ActionIcon>
  );
}
