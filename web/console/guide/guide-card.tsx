// On the overview, until the first delivery is confirmed: how far the marketplace is set up. An empty marketplace opens the guide itself, once.
import { Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { Section } from '../../ui/facts.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { useFirstSteps, STEP_NAMES, stepsOf } from './steps.ts';

const OPENED = 'lm-guide-opened';

export function GuideCard(): ReactNode {
  const { data } = useFirstSteps();
  const navigate = useNavigate();
  const isEmpty = data?.isDone === false && data.steps?.partner === null && data.steps.supplier === null;
  useEffect(() => {
    if (!isEmpty || sessionStorage.getItem(OPENED) !== null) return;
    sessionStorage.setItem(OPENED, '1');
    void navigate({ to: '/guide', replace: true });
  }, [isEmpty, navigate]);
  if (data === undefined || data.isDone) return null;
  const steps = Object.values(stepsOf(data)).filter(({ isOptional }) => isOptional !== true);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title="Set up your marketplace">
      <Group justify="space-between" p="md">
        <Text>
          {done} of {steps.length} steps are done. {STEP_NAMES.length - steps.length} more are optional.
        </Text>
        <ButtonLink to="/guide">Continue</ButtonLink>
      </Group>
    </Section>
  );
}
