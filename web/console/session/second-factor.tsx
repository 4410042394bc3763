// Sets up one-time codes: shows the secret for an authenticator app and verifies a first code.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { CodeBlock } from '../../ui/copy.tsx';
import { Failure } from '../../ui/states.tsx';
import { request } from '../console-api.ts';

export function SecondFactor(): ReactNode {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationFn: () => request('POST /console/api/second-factor'),
  });
  const confirm = useMutation({
    mutationFn: () => request('POST /console/api/second-factor/confirm', { body: { code: code.trim() } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session'] }),
  });
  if (begin.data === undefined) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          You need an authenticator app on your phone or computer. Sign-in will then require its six-digit code.
        </Text>
        {begin.isError && <Failure error={begin.error} />}
        <Button onClick={() => begin.mutate()} loading={begin.isPending}>
          Set up one-time codes
        </Button>
      </Stack>
    );
  }
  const { secret, uri } = begin.data;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          Add an account to the app with this key, or open the address on the device that has the app. Both are shown
          only once.
        </Text>
        <CodeBlock label="key for the authenticator app" text={secret} />
        <CodeBlock label="address for the authenticator app" text={uri} />
        <TextInput
          label="One-time code"
          description="The six digits that the app shows"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maw={260}
          required
        />
        {confirm.isError && <Failure error={confirm.error} title="The code was not accepted" />}
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
