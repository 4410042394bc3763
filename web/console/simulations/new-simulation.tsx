// The form that starts a dry run of a marketplace file.
import { Button, FileButton, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Failure } from '../../ui/states.tsx';
import { startSimulation } from '../changes/change-steps.ts';
import { type ConfigurationInput, useMarketplace, useOffers } from '../configuration/configuration-api.ts';
import { exampleChanges } from './example-changes.ts';

const DAYS = { usual: 7, most: 90 };
/** Those that the examples choose from. */
const OFFERS_AT_MOST = 200;

export function NewSimulation(): ReactNode {
  const navigate = useNavigate();
  const settings = useMarketplace();
  const [text, setText] = useState('');
  const [days, setDays] = useState<number | string>(DAYS.usual);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isReady = text.trim() !== '' && Number(days) >= 1 && Number(days) <= DAYS.most && settings.data !== undefined;
  const start = async (input: ConfigurationInput): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { id } = await startSimulation(input, settings.data?.version ?? 0, Number(days));
      await navigate({ to: '/simulation', search: { id } });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title="New dry run">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start({ text });
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            For a change of one partner or offer, edit it in its own form and choose Review change there.
          </Text>
          <Examples isDisabled={isBusy || settings.data === undefined} onChoose={(input) => void start(input)} />
          <Textarea
            label="Marketplace file"
            description="YAML, the whole file or a part. Entries that it does not name stay unchanged."
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            rows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          />
          <Group align="flex-end">
            <NumberInput
              label="Days"
              value={days}
              onChange={setDays}
              min={1}
              max={DAYS.most}
              allowDecimal={false}
              w={100}
            />
            <FileButton
              onChange={(file) => {
                if (file !== null) file.text().then(setText, setError);
              }}
              accept=".yaml,.yml,.json,text/plain"
            >
              {(props) => (
                <Button {...props} variant="default">
                  Open file
                </Button>
              )}
            </FileButton>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              Start dry run
            </Button>
          </Group>
          {error !== null && <Failure error={error} />}
        </Stack>
      </form>
    </Section>
  );
}

/** Changes of the offer that sells the most, each started by a click; nothing in a marketplace without offers. */
function Examples({
  isDisabled,
  onChoose,
}: {
  readonly isDisabled: boolean;
  readonly onChoose: (input: ConfigurationInput) => void;
}): ReactNode {
  const offers = useOffers({ status: 'active', page: 1, pageSize: OFFERS_AT_MOST });
  const [most] = (offers.data?.data ?? []).toSorted((one, other) => other.figures.sold - one.figures.sold);
  if (most === undefined) return null;
  return (
    <Group gap="xs" role="group" aria-label="Examples">
      <Text size="sm" component="span">
        Or try one of these
      </Text>
      {exampleChanges(most).map(({ name, input }) => (
        <Button key={name} size="compact-sm" variant="default" disabled={isDisabled} onClick={() => onChoose(input)}>
          {name}
        </Button>
      ))}
    </Group>
  );
}
