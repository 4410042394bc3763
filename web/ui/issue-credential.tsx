// Asks for a label and an end, issues a key or token, and shows its secret once.
import { Alert, Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { IssuedCredential, NewCredential } from '../../src/credentials/issued-credential.schema.ts';
import { CopyText } from './copy.tsx';
import { newKey, RequestError } from './request.ts';
import { Failure } from './states.tsx';

type Issue = (body: NewCredential, idempotencyKey: string) => Promise<IssuedCredential>;

export function IssueCredential({
  isOpen,
  word,
  issue,
  onClose,
  onIssued,
}: {
  readonly isOpen: boolean;
  readonly word: 'key' | 'token';
  readonly issue: Issue;
  readonly onClose: () => void;
  readonly onIssued: () => Promise<void>;
}): ReactNode {
  const [issued, setIssued] = useState<IssuedCredential | null>(null);
  const close = (): void => {
    setIssued(null);
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Issue a ${word}`}
      centered
      closeOnClickOutside={issued === null}
      size="lg"
    >
      {issued === null ? (
        <IssueForm
          issue={issue}
          word={word}
          onCancel={close}
          onDone={async (response) => {
            setIssued(response);
            await onIssued();
          }}
        />
      ) : (
        <Stack>
          {issued.secret === null ? (
            <Alert variant="outline" color="yellow" title="The secret was lost" role="alert">
              The {word} was issued, but the response with the secret did not arrive. Revoke it and issue another one.
            </Alert>
          ) : (
            <>
              <Text size="sm" role="status">
                This is the {word}. Store it now: it is never shown again.
              </Text>
              <Group wrap="nowrap" gap="xs">
                <Code fz="md" p="sm" style={{ overflowWrap: 'anywhere' }}>
                  {issued.secret}
                </Code>
                <CopyText text={issued.secret} what={`the ${word}`} />
              </Group>
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={close}>I have stored it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function IssueForm({
  issue: send,
  word,
  onCancel,
  onDone,
}: {
  readonly issue: Issue;
  readonly word: 'key' | 'token';
  readonly onCancel: () => void;
  readonly onDone: (issued: IssuedCredential) => Promise<void>;
}): ReactNode {
  // The same key for every repetition of the request.
  const [idempotencyKey, setIdempotencyKey] = useState(newKey);
  const [label, setLabel] = useState('');
  const [expires, setExpires] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faultOf = (name: string): string | undefined =>
    error instanceof RequestError ? error.faults.find(({ field }) => field === name)?.message : undefined;
  const isAtField = faultOf('label') !== undefined || faultOf('expiresAt') !== undefined;
  const issue = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      // Until the end of that day in the browser's zone.
      const expiresAt = expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString();
      await onDone(await send({ label, expiresAt }, idempotencyKey));
    } catch (failure) {
      setError(failure);
      if (failure instanceof RequestError && failure.status >= 400 && failure.status < 500) setIdempotencyKey(newKey());
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void issue();
      }}
    >
      <Stack>
        <TextInput
          label="Label"
          description="Its purpose, such as “CRM import”, by which it is told apart later."
          required
          maxLength={100}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          error={faultOf('label')}
          data-autofocus
        />
        <TextInput
          type="date"
          label="Valid until"
          description="Empty: valid until revoked."
          value={expires}
          onChange={({ currentTarget }) => setExpires(currentTarget.value)}
          error={faultOf('expiresAt')}
        />
        {error !== null && !isAtField && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Issue {word}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
