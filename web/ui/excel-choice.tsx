// The choice beside a button that saves a CSV file: the same file for Excel, which needs a mark to read accents.
import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

export function ExcelChoice({
  size = 'sm',
  onChoose,
}: {
  readonly size?: string;
  readonly onChoose: () => void;
}): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} px={5} aria-label="Other formats">
          <ChevronDownIcon aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onChoose}>CSV for Excel</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
