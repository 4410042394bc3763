// Retries the selected rows of a list one after the other, and says how many were skipped and why.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { count } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { RequestError } from '../../ui/request.ts';
import { RetryButton } from './retry-button.tsx';

export function RetrySelected<Row>({
  rows,
  clear,
  unit,
  action,
  reasonFor,
  retry,
  onDone,
  children,
}: {
  readonly rows: readonly Row[];
  readonly clear: () => void;
  readonly unit: readonly [one: string, many: string];
  readonly action: string;
  /** Why a row was skipped, in words. */
  readonly reasonFor: (error: RequestError) => string;
  /** Rejects if the row is skipped. */
  readonly retry: (row: Row) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
  /** Explains the effect. */
  readonly children: ReactNode;
}): ReactNode {
  const [done, setDone] = useState(0);
  const run = async (): Promise<void> => {
    const skipped: string[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        await retry(row);
      } catch (error) {
        // An outage ends the run; those already queued stay queued.
        if (!(error instanceof RequestError) || (error.status !== 404 && error.status !== 409)) throw error;
        skipped.push(reasonFor(error));
      }
      setDone(index + 1);
    }
    const reasons = [...new Set(skipped)].join(' ');
    notify(
      `${count(rows.length - skipped.length, ...unit)} queued.${skipped.length === 0 ? '' : ` ${skipped.length} skipped: ${reasons}`}`,
    );
    clear();
    await onDone();
  };
  return (
    <RetryButton
      label={`${action}: ${count(rows.length, ...unit)}`}
      title={`${action}: ${count(rows.length, ...unit)}`}
      action={action}
      onRetry={() => run().finally(() => setDone(0))}
    >
      <Stack gap="xs">
        {children}
        <Text size="sm" role="status">
          {done > 0 && `${done} of ${rows.length} …`}
        </Text>
      </Stack>
    </RetryButton>
  );
}
