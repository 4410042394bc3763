// A text area for a template, whose error names a line and column that a button leads to.
import { Anchor, Box, Text, Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

/** As the service says where in a text an error is; a text of one line has a column only. */
const PLACE = /\(at (?:line (\d+), )?column (\d+) of the text\)/;

export function TemplateArea({
  label,
  description,
  value,
  onChange,
  error,
  isReadOnly = false,
}: {
  readonly label: string;
  readonly description: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly isReadOnly?: boolean;
}): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const place = PLACE.exec(error ?? '');
  const goTo = (line: number, column: number): void => {
    const field = area.current;
    if (field === null) return;
    const offset = offsetOf(field.value, line, column);
    field.focus();
    field.setSelectionRange(offset, offset);
    // Browsers do not scroll to the caret.
    field.scrollTop = Math.max(0, (line - 5) * (Number.parseFloat(getComputedStyle(field).lineHeight) || 20));
  };
  return (
    <Box>
      <Textarea
        ref={area}
        label={label}
        description={description}
        value={value}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        rows={Math.min(24, Math.max(6, value.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        error={error ?? null}
        styles={{
          input: {
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: 13,
            whiteSpace: 'pre',
            // Otherwise an error makes the whole text red.
            color: 'var(--mantine-color-text)',
            overflowX: 'auto',
          },
        }}
      />
      {place !== null && (
        <Text size="sm" mt={4}>
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => goTo(Number(place[1] ?? 1), Number(place[2]))}
          >
            Go to line {place[1] ?? 1}, column {place[2]}
          </Anchor>
        </Text>
      )}
    </Box>
  );
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
