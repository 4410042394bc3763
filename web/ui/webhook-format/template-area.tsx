// A text area for a template, whose error names a line and column that a button leads to.
import { Anchor, Box, Text, Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

import { CODE_STYLES, goToPlace } from '../text-places.ts';

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
        styles={CODE_STYLES}
      />
      {place !== null && (
        <Text size="sm" mt={4}>
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => goToPlace(area.current, Number(place[1] ?? 1), Number(place[2]))}
          >
            Go to line {place[1] ?? 1}, column {place[2]}
          </Anchor>
        </Text>
      )}
    </Box>
  );
}
