// What stands below a page's title: where one is, and what there is to say of it in a word.
import { Group } from '@mantine/core';
import { Children, type ReactNode } from 'react';

/** With dots between them. */
export function Crumbs({ children }: { readonly children: ReactNode }): ReactNode {
  const parts = Children.toArray(children);
  return (
    <Group gap={6} component="span">
      {parts.flatMap((part, index) => (index === 0 ? [part] : [<span key={`dot ${String(index)}`}>·</span>, part]))}
    </Group>
  );
}
