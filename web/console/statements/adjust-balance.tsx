// The form that corrects what is owed to a supplier, with the balance after it and a confirmation.
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

const DESCRIPTION_LENGTH_MAX = 200;

type Faults = { readonly amount?: string; readonly description?: string };

export function AdjustBalance({
  balance: { supplier, supplierName, balance },
  onClose,
}: {
  readonly balance: SupplierBalances['data'][number];
  readonly onClose: () => void;
}): ReactNode {
  const { currency } = useConsoleSession();
  const queries = useQueryClient();
  const [amountText, setAmountText] = useState('');
  const [description, setDescription] = useState('');
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
    const found = faultsOf(amount, description);
    setFaults(found);
    if (found.amount !== undefined || found.description !== undefined) return;
    key.current = newKey();
    setAsking(true);
  };
  const post = async (): Promise<void> => {
    if (amount === null) return;
    try {
      const body = { supplier, amount, description: description.trim() };
      const posted = await request('POST /console/api/supplier-adjustments', { body, idempotencyKey: key.current });
      notify(`Adjusted what ${supplierName} is owed: ${money(posted.balanceBefore)} → ${money(posted.balanceAfter)}.`);
      onClose();
    } catch (error) {
      if (error instanceof RequestError) setFaults(serverFaults(error));
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['statements'] });
    }
  };
  return (
    <Section title={`Adjust the balance of ${supplierName}`}>
      <form onSubmit={ask} noValidate>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              ref={first}
              label={`Amount in ${currency}`}
              description="Above 0: owed in addition. Negative: taken off"
              inputMode="decimal"
              value={amountText}
              error={faults.amount ?? null}
              onChange={(event) => setAmountText(event.currentTarget.value)}
            />
            <TextInput
              label="Description"
              description="Shown to the supplier, also on its next statement"
              value={description}
              maxLength={DESCRIPTION_LENGTH_MAX}
              error={faults.description ?? null}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </SimpleGrid>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Post …</Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        isOpen={isAsking}
        title={`Adjust the balance of ${supplierName}?`}
        action={`Post ${money(amount ?? 0)}`}
        onConfirm={post}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            Owed: {money(balance)} → {money(sumOf(balance, amount ?? 0))}. Shown to the supplier: {description.trim()}
          </Text>
          <Text fw={650}>The supplier sees it at once. It cannot be changed or deleted.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

function faultsOf(amount: number | null, description: string): Faults {
  return {
    ...(amount === null || amount === 0 ? { amount: 'Enter an amount other than 0, such as -12.50.' } : {}),
    ...(description.trim() === '' ? { description: 'Enter a description. It is shown to the supplier.' } : {}),
  };
}

function serverFaults({ faults }: RequestError): Faults {
  return Object.fromEntries(faults.map(({ field, message }) => [field, message]));
}
