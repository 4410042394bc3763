// The errors in the input of a dry run.
import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';

import type { InputFault } from '../../../src/console/changes.schema.ts';

export function InputFaults({
  faults,
  title = 'The input has errors',
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
