// A button that sets the price of a lead which its partner took without a price that counts, with a confirmation.
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { FailedDelivery } from '../../../src/console/failed-deliveries.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { readAmount } from '../ledger/amount.ts';

export function SetPrice({
  delivery,
  currency,
  onDone,
}: {
  readonly delivery: FailedDelivery;
  readonly currency: string;
  readonly onDone: () => Promise<void>;
}): ReactNode {
  const { deliveryId, deliveryRef, partnerName, prices } = delivery;
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState('');
  const may = useMay('money');
  if (!may || prices === null) return null;
  const price = readAmount(text);
  const money = (amount: number): string => formatMoney(amount, currency);
  const isWithin = price !== null && price >= prices.min && price <= prices.max;
  const set = async (): Promise<void> => {
    if (price === null) return;
    await request('POST /console/api/deliveries/:deliveryId/price', { params: { deliveryId }, body: { price } });
    notify(`${deliveryRef} is confirmed and charged: ${money(price)}.`);
    await onDone();
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={`Set the price: ${deliveryRef}`}
      >
        Set price
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Set the price of ${deliveryRef}`}
        action="Charge"
        isReady={isWithin}
        onConfirm={set}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text size="sm">
            {partnerName} may have this lead and named no price that could be charged. The delivery is confirmed, and
            the partner is charged.
          </Text>
          <TextInput
            label={`Price in ${currency}`}
            description={`${money(prices.min)} to ${money(prices.max)}, as the lead was sold`}
            inputMode="decimal"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </>
  );
}
