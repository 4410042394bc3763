// Rows of names with templates: the headers or the query of a webhook format.
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';

type Row = { readonly id: number; readonly name: string; readonly template: string };

let lastId = 0;
function rowOf(name: string, template: string): Row {
  lastId += 1;
  return { id: lastId, name, template };
}

/** Rows without a name are not part of the format yet. */
export function NamedTemplates({
  legend,
  one,
  value,
  onChange,
  error,
  isReadOnly,
}: {
  readonly legend: string;
  /** What one row is: `header`. */
  readonly one: string;
  readonly value: Readonly<Record<string, string>>;
  readonly onChange: (value: Record<string, string>) => void;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
}): ReactNode {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(value).map(([name, template]) => rowOf(name, template)),
  );
  const change = (next: readonly Row[]): void => {
    setRows(next);
    // A name that stands twice keeps its last template.
    onChange(
      Object.fromEntries(
        next.flatMap(({ name, template }) => (name.trim() === '' ? [] : [[name.trim(), template] as const])),
      ),
    );
  };
  const changeRow = (row: Row, part: Partial<Row>): void =>
    change(rows.map((other) => (other.id === row.id ? { ...row, ...part } : other)));
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        {rows.length === 0 && (
          <Text size="sm" c="dimmed">
            None.
          </Text>
        )}
        {rows.map((row, index) => (
          <Group key={row.id} gap="xs" align="flex-end" role="group" aria-label={`${one} ${index + 1}`}>
            <TextInput
              label="Name"
              value={row.name}
              readOnly={isReadOnly}
              onChange={({ currentTarget }) => changeRow(row, { name: currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
              flex="1 1 140px"
            />
            <TextInput
              label="Template"
              value={row.template}
              readOnly={isReadOnly}
              onChange={({ currentTarget }) => changeRow(row, { template: currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
              flex="2 1 180px"
              error={error !== undefined}
            />
            {!isReadOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                onClick={() => change(rows.filter(({ id }) => id !== row.id))}
                aria-label={`Remove ${one} ${index + 1}`}
              >
                <Cross2Icon aria-hidden="true" />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isReadOnly && (
          <Group>
            <Button variant="default" size="xs" onClick={() => change([...rows, rowOf('', '')])}>
              Add {one}
            </Button>
          </Group>
        )}
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" data-faults tabIndex={-1}>
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
