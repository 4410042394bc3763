// A confirmation dialog, usable by keyboard.
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Failure } from './states.tsx';

/** Stays open while `onConfirm` runs; shows its error, or closes on success. */
export function Confirm({
  isOpen,
  title,
  children,
  action,
  isDangerous = false,
  isReady = true,
  onConfirm,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** The label of the confirming button, a verb: `Revoke token`. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** False while required input in `children` is missing. */
  readonly isReady?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => {
    setError(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered closeOnClickOutside={!isBusy} closeOnEscape={!isBusy}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          {children}
          {error !== null && <Failure error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={!isReady}
              {...(isDangerous ? { color: 'red.9' } : {})}
              data-autofocus
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
