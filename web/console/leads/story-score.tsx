// The checks and the score of a lead: rejection reasons, or the points of each factor.
import { Box, List, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import styles from './lead-story.module.css';
import type { LeadStory, StoryFactor } from '../../../src/console/leads.schema.ts';
import { StoryStage } from './story-stage.tsx';

export function Score({ story: { lead, factors } }: { readonly story: LeadStory }): ReactNode {
  if (lead.state === 'invalid') {
    return (
      <StoryStage title="Rejected by the checks" tone="bad">
        <Reasons reasons={lead.reasons} />
      </StoryStage>
    );
  }
  return (
    <StoryStage title={`Accepted with a score of ${lead.score ?? 'unknown'} of 100`} tone="good">
      {factors.length === 0 ? (
        <Text size="sm">The factors of the score are no longer stored.</Text>
      ) : (
        <SimpleGrid
          component="ul"
          cols={{ base: 1, xs: 2, md: Math.max(1, factors.length) }}
          spacing="md"
          verticalSpacing="xs"
          m={0}
          p={0}
          style={{ listStyle: 'none' }}
        >
          {factors.map((factor) => (
            <FactorBar key={factor.name} factor={factor} />
          ))}
        </SimpleGrid>
      )}
    </StoryStage>
  );
}

function FactorBar({ factor: { label, points, max, notes } }: { readonly factor: StoryFactor }): ReactNode {
  return (
    <Box component="li">
      <Text size="sm">
        {label}: <b>{points}</b> of {max}
      </Text>
      <div className={styles['bar']} aria-hidden="true">
        <div className={styles['fill']} style={{ width: `${max === 0 ? 0 : (100 * points) / max}%` }} />
      </div>
      {notes.length > 0 && (
        <Text size="xs" c="dimmed">
          {notes.join(', ')}
        </Text>
      )}
    </Box>
  );
}

export function Reasons({ reasons }: { readonly reasons: LeadStory['lead']['reasons'] }): ReactNode {
  return (
    <List size="sm" spacing="xs">
      {reasons.map(({ reason, meaning, remedy }) => (
        <List.Item key={reason}>
          <b>{reason}</b>: {meaning}
          <Text size="sm" c="dimmed">
            For the supplier: {remedy}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
