// What is wrong with what was to be tried.
import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';

import type { InputFault } from '../../../src/console/changes.schema.ts';

export function InputFaults({
  faults,
  title = 'This cannot be tried as it is',
}: {
  readonly faults: readonly InputFault[];
  readonly title?: string;
}): ReactNode {
  return (
    <Alert color="red" variant="outline" title={title} role="alert">
      <List size="sm">
        {faults.map(({ path, message, line, column }) => (
          <List.Item key={`${line} ${column} ${path} ${message}`}>
            {line !== null && `Line ${line}, column ${String(column)}: `}
            {path} {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
