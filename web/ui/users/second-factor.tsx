// Sets up one-time codes: shows the secret for an authenticator app as a QR code and as text, and verifies a first code.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Code, NewSecondFactor } from '../../../src/sessions/second-factor.schema.ts';
import { createApi } from '../api.ts';
import { CodeBlock } from '../copy.tsx';
import { QrCode } from '../qr-code.tsx';
import type { Area } from '../session.ts';
import { Failure } from '../states.tsx';

const { request } = createApi<{
  'POST /:area/api/second-factor': { response: NewSecondFactor };
  'POST /:area/api/second-factor/confirm': { body: Code };
}>();

export function SecondFactor({ area }: { readonly area: Area }): ReactNode {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationFn: () => request('POST /:area/api/second-factor', { params: { area } }),
  });
  const confirm = useMutation({
    mutationFn: () =>
      request('POST /:area/api/second-factor/confirm', { params: { area }, body: { code: code.trim() } }),
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
          Scan this code with the app, or type the key into it. On the device that has the app, open the address
          instead. All of them are shown only once.
        </Text>
        <QrCode text={uri} label="QR code for the authenticator app" />
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
