// The form that posts a payment, credit or adjustment manually, with the resulting balance and a confirmation.
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { newKey, RequestError } from '../../ui/request.ts';
import { request } from '../console-api.ts';
import { readAmount, sumOf } from './amount.ts';
import type { Account, Posted } from '../../../src/console/ledger.schema.ts';

const TYPES = [
  { value: 'payment', label: 'Payment: money received' },
  { value: 'credit', label: 'Credit: money given back' },
  { value: 'adjustment', label: 'Adjustment: may be negative' },
];
type Type = Posted['type'];
const DESCRIPTION_LENGTH_MAX = 200;

type Faults = { readonly amount?: string; readonly description?: string };

export function PostEntry({ account, currency }: { readonly account: Account; readonly currency: string }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [type, setType] = useState<Type>('payment');
  const [amountText, setAmountText] = useState('');
  const [description, setDescription] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [isAsking, setAsking] = useState(false);
  const [message, setMessage] = useState('');
  // One key per confirmation, so that a repeated request posts once.
  const key = useRef('');
  const money = (value: number): string => formatMoney(value, currency);
  const amount = readAmount(amountText);
  const after = amount === null ? null : sumOf(account.balance, amount);

  const ask = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    const found = faultsOf({ type, amount, description });
    setFaults(found);
    if (found.amount !== undefined || found.description !== undefined) return;
    key.current = newKey();
    setAsking(true);
  };
  const post = async (): Promise<void> => {
    if (amount === null) return;
    const body = { partner: account.partner, type, amount, description: description.trim() };
    try {
      const posted = await request('POST /console/api/ledger/entries', { body, idempotencyKey: key.current });
      setMessage(
        `Posted ${money(posted.amount)}: balance ${money(posted.balanceBefore)} → ${money(posted.balanceAfter)}.`,
      );
      setAmountText('');
      setDescription('');
    } catch (error) {
      if (error instanceof RequestError) setFaults(serverFaults(error));
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['deliveries', 'account', account.partner] });
    }
  };
  return (
    <Section
      title="Manual posting"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Close' : 'Post an entry'}
        </Button>
      }
    >
      <Text role="status" size="sm" {...(message === '' ? { hidden: true } : {})}>
        {message}
      </Text>
      {isOpen && (
        <form onSubmit={ask} noValidate>
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <Select
                label="Type"
                data={TYPES}
                value={type}
                allowDeselect={false}
                onChange={(chosen) => setType((chosen ?? 'payment') as Type)}
              />
              <TextInput
                label={`Amount in ${currency}`}
                description={type === 'adjustment' ? 'Negative: charges the partner' : 'Above 0'}
                inputMode="decimal"
                value={amountText}
                error={faults.amount ?? null}
                onChange={(event) => setAmountText(event.currentTarget.value)}
              />
              <TextInput
                label="Description"
                description="Shown to the partner"
                value={description}
                maxLength={DESCRIPTION_LENGTH_MAX}
                error={faults.description ?? null}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
            </SimpleGrid>
            <Group justify="space-between">
              <Text style={{ fontVariantNumeric: 'tabular-nums' }} role="status">
                Current balance {money(account.balance)}
                {after === null ? '' : `, new balance ${money(after)}`}
              </Text>
              <Button type="submit">Post …</Button>
            </Group>
          </Stack>
        </form>
      )}
      <Confirm
        isOpen={isAsking}
        title={`Post a ${type} to ${account.name}?`}
        action={`Post ${money(amount ?? 0)}`}
        onConfirm={post}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            Balance: {money(account.balance)} → {money(after ?? account.balance)}.
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Shown to the partner: {description.trim()}
          </Text>
          <Text fw={650}>Entries cannot be changed or deleted. Correct a mistake with another entry.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

function faultsOf({ type, amount, description }: { type: Type; amount: number | null; description: string }): Faults {
  const wrong =
    amount === null
      ? 'Enter an amount such as 100.00.'
      : amount === 0
        ? 'The amount must not be 0.'
        : amount < 0 && type !== 'adjustment'
          ? `A ${type} must be above 0. To charge the partner, post an adjustment.`
          : null;
  return {
    ...(wrong === null ? {} : { amount: wrong }),
    ...(description.trim() === '' ? { description: 'Enter a description. It is shown to the partner.' } : {}),
  };
}

function serverFaults({ faults }: RequestError): Faults {
  const of = (field: string): string | undefined => {
    const fault = faults.find((one) => one.field === field);
    return fault === undefined ? undefined : `It ${fault.message}.`;
  };
  const [amount, description] = [of('amount'), of('description')];
  return { ...(amount === undefined ? {} : { amount }), ...(description === undefined ? {} : { description }) };
}
