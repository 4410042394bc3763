// A folded group of a form's fields: its title says what is set in it, and it opens by itself where something is set or has an error.
import { Box, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export function FieldGroup({
  title,
  set,
  hasError,
  children,
}: {
  readonly title: string;
  /** What differs from the defaults; null for nothing. */
  readonly set: string | null;
  readonly hasError: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(set !== null);
  const [hadError, setHadError] = useState(false);
  if (hasError !== hadError) {
    setHadError(hasError);
    if (hasError) setOpen(true);
  }
  return (
    <Box
      component="details"
      className="lm-card"
      p="md"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary style={{ cursor: 'pointer', overflowWrap: 'anywhere' }}>
        <Text component="h2" display="inline" fz="1.1rem" fw={650} m={0}>
          {title}
        </Text>
        <Text component="span" size="sm" ml="xs" c={hasError ? 'var(--mantine-color-error)' : 'dimmed'}>
          {hasError ? 'Has an error' : (set ?? 'None set')}
        </Text>
      </summary>
      <Stack gap="md" mt="md">
        {children}
      </Stack>
    </Box>
  );
}
