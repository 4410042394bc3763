// Records the payment of an invoice, or voids an unpaid one.
import { Button, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { newKey } from '../../ui/request.ts';
import { request } from '../console-api.ts';
import { focusHeading } from '../focus-heading.ts';
import { readAmount } from '../ledger/amount.ts';
import type { InvoiceDetail } from '../../../src/console/invoices.schema.ts';

const NOTE_LENGTH_MAX = 500;

export function PayInvoice({ invoice }: { readonly invoice: InvoiceDetail }): ReactNode {
  const { number, amountDue, currency, partnerName } = invoice;
  const free = invoice.free ?? 0;
  const queries = useQueryClient();
  const [way, setWay] = useState<'payment' | 'balance'>('payment');
  const [text, setText] = useState(() => amountDue.toFixed(2));
  const [fault, setFault] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const key = useRef('');
  const money = (amount: number): string => formatMoney(amount, currency);
  const amount = readAmount(text);
  const paid = way === 'balance' ? Math.min(free, amountDue) : (amount ?? 0);
  const ask = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    const isWrong = way === 'payment' && (amount === null || amount <= 0);
    setFault(isWrong ? 'Enter an amount above 0, such as 100.00.' : null);
    if (isWrong) return;
    key.current = newKey();
    setAsking(true);
  };
  const pay = async (): Promise<void> => {
    const body = { amount: way === 'balance' ? null : amount };
    const after = await request('POST /console/api/invoices/:id/pay', {
      params: { id: number },
      body,
      idempotencyKey: key.current,
    });
    notify(after.amountDue === 0 ? `${number} paid.` : `${number}: ${money(after.amountDue)} still due.`);
    setText(after.amountDue.toFixed(2));
    await queries.invalidateQueries({ queryKey: ['invoices'] });
    // This section disappears when nothing is due.
    if (after.amountDue === 0) focusHeading();
  };
  return (
    <Section title="Record payment">
      <form onSubmit={ask} noValidate>
        <Stack>
          <Radio.Group
            label="Source"
            value={way}
            onChange={(value) => setWay(value === 'balance' ? 'balance' : 'payment')}
          >
            <Stack gap="xs" mt={4}>
              <Radio value="payment" label={`New payment, posted to the ledger of ${partnerName}`} />
              <Radio
                value="balance"
                disabled={free <= 0}
                label={free > 0 ? `From the balance, ${money(free)} available` : 'From the balance, nothing available'}
              />
            </Stack>
          </Radio.Group>
          {way === 'payment' && (
            <TextInput
              label={`Amount in ${currency}`}
              description={`${money(amountDue)} due. Any excess stays in the balance.`}
              inputMode="decimal"
              maw={320}
              value={text}
              error={fault}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <Group>
            <Button type="submit">Pay …</Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        isOpen={isAsking}
        title={`Pay ${number}?`}
        action={`Pay ${money(paid)}`}
        onConfirm={pay}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            {way === 'balance'
              ? `${money(paid)} of the balance of ${partnerName} pays this invoice. The balance does not change.`
              : `A payment of ${money(paid)} is posted to ${partnerName}.`}
          </Text>
          <Text fw={650}>This cannot be undone. Correct a wrong payment with an adjustment.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

export function VoidInvoice({
  invoice: { number, amountDue, currency, partnerName },
}: {
  readonly invoice: InvoiceDetail;
}): ReactNode {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [isAsking, setAsking] = useState(false);
  const key = useRef('');
  const voidInvoice = async (): Promise<void> => {
    const body = { note: note.trim() };
    await request('POST /console/api/invoices/:id/void', {
      params: { id: number },
      body,
      idempotencyKey: key.current,
    });
    notify(`${number} voided.`);
    await queries.invalidateQueries({ queryKey: ['invoices'] });
    focusHeading();
  };
  return (
    <Section
      title="Void invoice"
      actions={
        <Button
          size="compact-sm"
          variant="outline"
          color="red.9"
          c="var(--lm-bad)"
          onClick={() => {
            key.current = newKey();
            setAsking(true);
          }}
        >
          Void invoice …
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        For an invoice issued by mistake. It keeps its number and shows the reason; its line items become available for
        another invoice of the month.
      </Text>
      <Confirm
        isOpen={isAsking}
        title={`Void ${number}?`}
        action="Void invoice"
        isDangerous
        isReady={note.trim() !== ''}
        onConfirm={voidInvoice}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            {partnerName} no longer owes {formatMoney(amountDue, currency)} for it.
          </Text>
          <Textarea
            label="Reason"
            description="Shown to the partner on the invoice"
            value={note}
            maxLength={NOTE_LENGTH_MAX}
            onChange={(event) => setNote(event.currentTarget.value.replaceAll('\n', ' '))}
            autosize
            minRows={2}
            data-autofocus
          />
          <Text fw={650}>This cannot be undone.</Text>
        </Stack>
      </Confirm>
    </Section>
  );
}
