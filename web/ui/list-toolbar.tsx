// The line above a list: new rows that wait, and the actions on selected rows.
import { Button, Group, Text } from '@mantine/core';
import { ArrowUpIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { formatNumber } from './formats.ts';

export function ListToolbar({
  waiting,
  onShow,
  selected,
  onClear,
  children,
}: {
  /** New rows that are not shown. */
  readonly waiting: number;
  readonly onShow: () => void;
  readonly selected: number;
  readonly onClear: () => void;
  /** Actions on the selected rows. */
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Group gap="xs" mih={30} mb="xs">
      {waiting > 0 && (
        <Button
          size="compact-sm"
          radius="xl"
          title="Shows the new rows"
          leftSection={<ArrowUpIcon aria-hidden="true" />}
          onClick={onShow}
        >
          {formatNumber(waiting)} new
        </Button>
      )}
      {selected > 0 && (
        <Group gap="xs" role="group" aria-label="Selected rows">
          <Text size="sm" fw={600} role="status">
            {formatNumber(selected)} selected
          </Text>
          {children}
          <Button size="compact-sm" variant="subtle" color="gray" c="inherit" onClick={onClear}>
            Clear selection
          </Button>
        </Group>
      )}
    </Group>
  );
}
