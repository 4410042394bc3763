// Page sections, description lists and key figures.
import { Box, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { PageLink } from './link.tsx';

export type Fact = readonly [name: string, value: ReactNode];

/** A description list; a value of null or '' shows as a dash. */
export function Facts({
  facts,
  columns = 2,
}: {
  readonly facts: readonly Fact[];
  readonly columns?: number;
}): ReactNode {
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, sm: columns }} spacing="md" verticalSpacing="sm">
      {facts.map(([name, value], index) => (
        // Labels of own fields may repeat another name.
        // oxlint-disable-next-line react/no-array-index-key
        <Box key={index}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {value === null || value === '' || value === undefined ? <span aria-label="not given">—</span> : value}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
  );
}

/** One large figure with its name and a note; with `link` the name leads to what it counts. */
export function Figure({
  name,
  value,
  note,
  link,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly link?: { readonly to: string; readonly search?: Readonly<Record<string, string>> };
}): ReactNode {
  return (
    <Box className="lm-card" p="md" data-figure>
      <Stack gap={2}>
        <Text size="sm" c="dimmed" component="div">
          {link === undefined ? name : <PageLink {...link}>{name}</PageLink>}
        </Text>
        <Text fz={26} fw={650} lh={1.2}>
          {value}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {note}
          </Text>
        )}
      </Stack>
    </Box>
  );
}

/** A responsive row of figures of equal width, whatever their number. */
export function Figures({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Box
      style={{
        display: 'grid',
        gap: 'var(--mantine-spacing-md)',
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(190px, 100%), 1fr))',
      }}
    >
      {children}
    </Box>
  );
}

/** A section of a page with its own heading. */
export function Section({
  id,
  title,
  actions,
  children,
}: {
  /** For links to the section. */
  readonly id?: string;
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Box id={id} className="lm-card" p="md" component="section" style={{ scrollMarginTop: 72 }}>
      <Stack gap="md">
        <Box style={{ display: 'flex', justifyContent: 'space-between', gap: 12, flexWrap: 'wrap' }}>
          <Text component="h2" fz="1.1rem" fw={650} m={0}>
            {title}
          </Text>
          {actions}
        </Box>
        {children}
      </Stack>
    </Box>
  );
}
