// The menu in which a user chooses the columns of a table.
import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { texts } from '../texts.ts';

interface ColumnChooserProps {
  columns: readonly { key: string; header: string }[];
  hidden: readonly string[];
  onToggle: (key: string) => void;
}

export function ColumnChooser({ columns, hidden, onToggle }: ColumnChooserProps) {
  return (
    <Menu position="bottom-end" width={220} shadow="md" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={texts.ui.columns}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.ui.columns}</Menu.Label>
        {columns.map((column) => (
          <Menu.CheckboxItem
            key={column.key}
            checked={!hidden.includes(column.key)}
            onChange={() => {
              onToggle(column.key);
            }}
          >
            {column.header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
