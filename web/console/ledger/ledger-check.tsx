// The recount of the whole ledger with progress and result.
import { Alert, Button, List, Progress, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Section } from '../../ui/facts.tsx';
import { count, formatNumber } from '../../ui/formats.ts';
import { Failure } from '../../ui/states.tsx';
import { createFollow } from '../../ui/follow.ts';
import type { ConsoleApi } from '../console-api.ts';
import type { CheckLine } from '../../../src/console/ledger.schema.ts';

const follow = createFollow<ConsoleApi>();

type Step = Extract<CheckLine, { kind: 'step' }>;
type Result = Extract<CheckLine, { kind: 'end' }>;

const STEPS: Readonly<Record<string, string>> = {
  ledger: 'Adding up every entry of every account',
  holds: 'Comparing held funds with pending deliveries',
  invoices: 'Comparing invoices with their line items',
  statements: 'Comparing suppliers’ statements and payouts with their entries',
};

export function LedgerCheck(): ReactNode {
  const [step, setStep] = useState<Step | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    setStep(null);
    setResult(null);
    setError(null);
    try {
      await follow('POST /console/api/ledger/check', {}, (line) =>
        line.kind === 'end' ? setResult(line) : setStep(line),
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Check the ledger"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => void check()} loading={isBusy}>
          Recount
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        Adds up every entry, hold and invoice and compares the sums with the stored balances. May take a few minutes;
        nothing is blocked.
      </Text>
      <Stack role="status" gap="xs">
        {isBusy && (
          <>
            <Text size="sm">{step === null ? 'Starting' : (STEPS[step.step] ?? step.step)} …</Text>
            <Progress
              value={step === null ? 0 : (100 * (step.done + 0.5)) / step.of}
              animated
              aria-label="Progress of the recount"
            />
          </>
        )}
        {result !== null && <Found result={result} />}
      </Stack>
      {error !== null && <Failure error={error} title="The recount failed" onRetry={() => void check()} />}
    </Section>
  );
}

function Found({ result: { ok, accounts, entries, difference, faults } }: { readonly result: Result }): ReactNode {
  const counted = `${count(accounts, 'account')}, ${count(entries, 'entry', 'entries')}, difference ${formatNumber(difference)}.`;
  if (ok) {
    return (
      <Alert variant="outline" color="pine" title="The ledger is correct">
        {counted}
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="red" title="The ledger has errors" role="alert">
      <Text size="sm">{counted} Nothing was changed. Back up the database before you investigate.</Text>
      <List size="sm">
        {faults.map((fault) => (
          <List.Item key={fault}>{fault}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
