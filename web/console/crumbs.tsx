// The line below a page's title: parent pages and status, separated by dots.
import { Group } from '@mantine/core';
import { Children, type ReactNode } from 'react';

export function Crumbs({ children }: { readonly children: ReactNode }): ReactNode {
  const parts = Children.toArray(children);
  return (
    <Group gap={6} component="span">
      {parts.flatMap((part, index) => (index === 0 ? [part] : [<span key={`dot ${String(index)}`}>·</span>, part]))}
    </Group>
  );
}
