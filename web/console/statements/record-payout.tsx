// The form that records a payout to a supplier, with the balance after it and a confirmation.
import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { SupplierBalances } from '../../../src/console/statements.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { newKey, RequestError } from '../../ui/request.ts';
import { request } from '../console-api.ts';
import { readAmount, sumOf } from '../ledger/amount.ts';
import { useConsoleSession } from '../session.ts';

const REFERENCE_LENGTH_MAX = 100;

type Faults = { readonly amount?: string; readonly reference?: string };

export function RecordPayout({
  balance: { supplier, supplierName, balance, payable },
  onClose,
}: {
  readonly balance: SupplierBalances['data'][number];
  readonly onClose: () => void;
}): ReactNode {
  const { currency } = useConsoleSession();
  const queries = useQueryClient();
  const [amountText, setAmountText] = useState(payable > 0 ? payable.toFixed(2) : '');
  const [reference, setReference] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [isAsking, setAsking] = useState(false);
  // One key per confirmation, so that a repeated request posts once.
  const key = useRef('');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const money = (value: number): string => formatMoney(value, currency);
  const amount = readAmount(amountText);

  const ask = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    const found = faultsOf(amount, reference);
    setFaults(found);
    if (found.amount !== undefined || found.reference !== undefined) return;
    key.current = newKey();
    setAsking(true);
  };
  const record = async (): Promise<void> => {
    if (amount === null) return;
    try {
      const body = { supplier, amount, reference: reference.trim() };
      const paid = await request('POST /console/api/payouts', { body, idempotencyKey: key.current });
      notify(`Recorded ${money(paid.amount)} to ${supplierName}: ${money(paid.balanceAfter)} are still owed.`);
      onClose();
    } catch (error) {
      if (error instanceof RequestError) setFaults(serverFaults(error));
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['statements'] });
    }
  };
  return (
    <Section title={`Payout to ${supplierName}`}>
      <form onSubmit={ask} noValidate>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              ref={first}
              label={`Amount in ${currency}`}
              description={`At most the balance of ${money(balance)}; ${money(payable)} are not held any more`}
              inputMode="decimal"
              value={amountText}
              error={faults.amount ?? null}
              onChange={(event) => setAmountText(event.currentTarget.value)}
            />
            <TextInput
              label="Reference"
              description="As on the bank’s statement. A reference is recorded once per supplier."
              value={reference}
              maxLength={REFERENCE_LENGTH_MAX}
              error={faults.reference ?? null}
              onChange={(event) => setReference(event.currentTarget.value)}
            />
          </SimpleGrid>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Record …</Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        isOpen={isAsking}
        title={`Record a payout to ${supplierName}?`}
        action={`Record ${money(amount ?? 0)}`}
        onConfirm={record}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            Owed: {money(balance)} → {money(sumOf(balance, -(amount ?? 0)))}. Reference: {reference.trim()}
          </Text>
          <Text fw={650}>The supplier sees it at once. It cannot be changed or deleted.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

function faultsOf(amount: number | null, reference: string): Faults {
  return {
    ...(amount === null || amount <= 0 ? { amount: 'Enter an amount above 0, such as 100.00.' } : {}),
    ...(reference.trim() === '' ? { reference: 'Enter the reference of the payment.' } : {}),
  };
}

function serverFaults({ faults }: RequestError): Faults {
  return Object.fromEntries(faults.map(({ field, message }) => [field, message]));
}
