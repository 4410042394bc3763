// The fields of a list's filters. On a phone they would take the whole screen before the first row, so that a button opens them there;
// the filters that are set stay visible in the bar below.
import { Button, SimpleGrid, type SimpleGridProps } from '@mantine/core';
import { MixerVerticalIcon } from '@radix-ui/react-icons';
import { type ReactNode, useId, useState } from 'react';

export function FilterFields({
  cols,
  children,
}: {
  readonly cols: NonNullable<SimpleGridProps['cols']>;
  readonly children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        hiddenFrom="xs"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<MixerVerticalIcon aria-hidden="true" />}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide filters' : 'Show filters'}
      </Button>
      <SimpleGrid id={id} cols={cols} {...(isOpen ? {} : { visibleFrom: 'xs' })}>
        {children}
      </SimpleGrid>
    </>
  );
}
