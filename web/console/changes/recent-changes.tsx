// The section with the recent changes of a partner, supplier, offer or the marketplace.
import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { actorWords } from './change-review.tsx';
import type { AuditedChange, Kind } from '../../../src/console/changes.schema.ts';
import { FieldList } from './difference.tsx';
import { request } from '../console-api.ts';
import { thingWords } from '../configuration/field-words.ts';

const DONE: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'changed',
  closed: 'closed',
  status_set: 'status changed',
  disabled: 'disabled',
  enabled: 'enabled',
};

export function RecentChanges({ kind, thing }: { readonly kind: Kind; readonly thing?: string }): ReactNode {
  const query = useQuery({
    queryKey: ['configuration', 'changes', kind, thing],
    queryFn: ({ signal }) => request('GET /console/api/configuration/changes', { query: { kind, key: thing }, signal }),
  });
  return (
    <Section
      title="Recent changes"
      actions={
        <Text size="sm">
          <PageLink to="/audit-log" search={auditFilterOf(kind, thing)}>
            View in audit log
          </PageLink>
        </Text>
      }
    >
      <Loaded query={query} what="Loading changes">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No changes yet">Changes appear here with their author.</Empty>
          ) : (
            <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
              {data.map((change) => (
                <ChangeEntry key={`${change.at ?? ''} ${change.key} ${change.action ?? ''}`} change={change} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function auditFilterOf(kind: Kind, thing: string | undefined): Readonly<Record<string, string>> {
  if (thing === undefined) return { target: kind };
  return kind === 'partner' || kind === 'supplier' ? { [kind]: thing } : { target: thing };
}

function ChangeEntry({ change }: { readonly change: AuditedChange }): ReactNode {
  const { kind, key, at, actor, action, changes } = change;
  const [topic, verb = ''] = (action ?? '').split('.');
  const what = topic === 'endpoint' ? `Endpoint of ${key}` : thingWords(kind, key);
  return (
    <Box component="li">
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {what} {DONE[verb] ?? verb}
          {actor !== null && ` by ${actorWords(actor)}`}
        </Text>
        {at !== null && (
          <Text size="sm" c="dimmed" component="span">
            <Time at={at} />
          </Text>
        )}
      </Group>
      {Object.keys(changes).length > 0 && topic !== 'endpoint' && (
        <FieldList fields={changes} isNew={verb === 'created'} />
      )}
    </Box>
  );
}
