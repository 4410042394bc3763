// Posts a payment, a credit or an adjustment by hand: shows the balance before and after, asks, and posts once.
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
  { value: 'payment', label: 'Payment: money came in' },
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
  const [sent, setTold] = useState('');
  // The same until the posting is done or changed: however often it is sent, it is posted once.
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
      setTold(
        `Posted ${money(posted.amount)}: the balance went from ${money(posted.balanceBefore)} to ${money(posted.balanceAfter)}.`,
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
      title="Post by hand"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Close' : 'Post an entry'}
        </Button>
      }
    >
      <Text role="status" size="sm" {...(sent === '' ? { hidden: true } : {})}>
        {sent}
      </Text>
      {isOpen && (
        <form onSubmit={ask} noValidate>
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <Select
                label="What it is"
                data={TYPES}
                value={type}
                allowDeselect={false}
                onChange={(chosen) => setType((chosen ?? 'payment') as Type)}
              />
              <TextInput
                label={`Amount in ${currency}`}
                description={type === 'adjustment' ? 'Below 0 takes from the partner' : 'Above 0'}
                inputMode="decimal"
                value={amountText}
                error={faults.amount ?? null}
                onChange={(event) => setAmountText(event.currentTarget.value)}
              />
              <TextInput
                label="Description"
                description="The partner reads it"
                value={description}
                maxLength={DESCRIPTION_LENGTH_MAX}
                error={faults.description ?? null}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
            </SimpleGrid>
            <Group justify="space-between">
              <Text style={{ fontVariantNumeric: 'tabular-nums' }} role="status">
                Balance now {money(account.balance)}
                {after === null ? '' : `, after the posting ${money(after)}`}
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
            The balance goes from {money(account.balance)} to {money(after ?? account.balance)}.
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            The partner reads: {description.trim()}
          </Text>
          <Text fw={650}>Entries are never changed or deleted. To put one right, post another.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

function faultsOf({ type, amount, description }: { type: Type; amount: number | null; description: string }): Faults {
  const wrong =
    amount === null
      ? 'Type an amount such as 100.00.'
      : amount === 0
        ? 'Nothing cannot be posted.'
        : amount < 0 && type !== 'adjustment'
          ? `A ${type} is above 0. To take from the partner, post an adjustment.`
          : null;
  return {
    ...(wrong === null ? {} : { amount: wrong }),
    ...(description.trim() === '' ? { description: 'Say what it is: the partner reads it.' } : {}),
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
