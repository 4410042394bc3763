// The menu that changes the status of a supplier or partner at once, after a confirmation.
import { Button, Menu, Text } from '@mantine/core';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { NewPartnerStatus } from '../../../src/console/partners.schema.ts';
import type { NewSupplierStatus } from '../../../src/console/suppliers.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { useMay } from '../allowed.tsx';

export type StatusChoice<Value extends string> = {
  readonly status: Value;
  /** The text of the menu entry: `Pause`. */
  readonly action: string;
  /** The effect, shown in the confirmation. */
  readonly meaning: string;
  readonly isDangerous?: boolean;
};

export const SUPPLIER_STATUSES: ReadonlyArray<StatusChoice<NewSupplierStatus['status']>> = [
  { status: 'approved', action: 'Approve', meaning: 'It can post leads from now on.' },
  { status: 'pending', action: 'Set back to pending', meaning: 'Its leads are rejected until it is approved.' },
  { status: 'suspended', action: 'Suspend', meaning: 'Its leads are rejected from now on.', isDangerous: true },
];

export const PARTNER_STATUSES: ReadonlyArray<StatusChoice<NewPartnerStatus['status']>> = [
  { status: 'active', action: 'Activate', meaning: 'Its offers buy leads from now on.' },
  {
    status: 'paused',
    action: 'Pause',
    meaning: 'It receives no leads from now on. It can still sign in and see its deliveries.',
  },
  {
    status: 'suspended',
    action: 'Suspend',
    meaning: 'It receives no leads from now on, and can neither sign in nor use the API.',
    isDangerous: true,
  },
];

export function StatusSwitch<Value extends string>({
  onSet,
  name,
  status,
  choices,
  stops,
}: {
  readonly onSet: (status: Value) => Promise<unknown>;
  readonly name: string;
  readonly status: string;
  readonly choices: ReadonlyArray<StatusChoice<Value>>;
  /** What every status but the present one would stop, where that is something. */
  readonly stops?: string | undefined;
}): ReactNode {
  const queries = useQueryClient();
  const [choice, setChoice] = useState<StatusChoice<Value> | null>(null);
  const may = useMay('configure');
  if (!may) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon aria-hidden="true" />}>
            Change status
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices
            .filter((other) => other.status !== status)
            .map((other) => (
              <Menu.Item key={other.status} onClick={() => setChoice(other)}>
                {other.action}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        isOpen={choice !== null}
        title={`${choice?.action ?? ''} ${name}?`}
        action={choice?.action ?? ''}
        isDangerous={choice?.isDangerous ?? false}
        onClose={() => setChoice(null)}
        onConfirm={async () => {
          if (choice === null) return;
          await onSet(choice.status);
          await queries.invalidateQueries({ queryKey: ['configuration'] });
          notify(`${name} is ${choice.status} now.`);
        }}
      >
        <Text size="sm">{choice?.meaning}</Text>
        {stops !== undefined && <Text size="sm">{stops}</Text>}
      </Confirm>
    </>
  );
}
