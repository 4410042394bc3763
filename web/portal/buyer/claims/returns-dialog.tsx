// The dialog that returns several deliveries for one reason: what our data say about each, and then one result for each. Import this file
// only through `lazyPart`.
import { Alert, Button, Checkbox, Group, Modal, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';
import type { Filing } from '../../../../src/portal/buyer/filing.schema.ts';
import type { FiledReturns, FileReturns } from '../../../../src/portal/buyer/returns.schema.ts';
import { count, formatMoney } from '../../../ui/formats.ts';
import { notify } from '../../../ui/notify.tsx';
import { newKey } from '../../../ui/request.ts';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { usePortalSession } from '../../session.ts';
import {
  aboveCaps,
  capWords,
  type ReasonChoice,
  monthWords,
  suggestReturns,
  type Suggestion,
  unitOf,
} from './own-data.ts';
import { reasonWords } from './claim-words.ts';

const STATEMENT_MAX = 10_000;

export function ReturnsDialog({
  deliveries,
  onFiled,
  onClose,
}: {
  readonly deliveries: readonly Delivery[];
  /** Called once the result has been read. */
  readonly onFiled: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  const [filed, setFiled] = useState<FiledReturns | null>(null);
  const query = useQuery({
    queryKey: ['claims', 'returns', deliveryIds],
    queryFn: ({ signal }) => request('POST /portal/api/buyer/returns/preview', { body: { deliveryIds }, signal }),
    enabled: filed === null,
  });
  const close = (): void => {
    if (filed !== null) onFiled();
    onClose();
  };
  const done = (outcome: FiledReturns): void => {
    if (outcome.results.some(({ refusal }) => refusal !== null)) return setFiled(outcome);
    notify([`${count(outcome.results.length, 'return')} filed.`, ...capsLeft(outcome)].join(' '));
    onFiled();
    onClose();
  };
  return (
    <Modal opened onClose={close} size="lg" title={filed === null ? 'Return deliveries' : 'Result'}>
      {filed === null ? (
        <Loaded query={query} what="Loading what can be returned">
          {({ data }) => <Form deliveries={deliveries} filings={data} onFiled={done} onClose={onClose} />}
        </Loaded>
      ) : (
        <Result deliveries={deliveries} filed={filed} onClose={close} />
      )}
    </Modal>
  );
}

function Form({
  deliveries,
  filings,
  onFiled,
  onClose,
}: {
  readonly deliveries: readonly Delivery[];
  readonly filings: readonly Filing[];
  readonly onFiled: (filed: FiledReturns) => void;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const [reason, setReason] = useState<ReasonChoice>('');
  const [proof, setProof] = useState('');
  // Where the partner decided otherwise than suggested.
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  // A filing repeated after no response must not file twice, so the key stays while the content does.
  const input = useRef({ text: '', key: newKey() });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: FileReturns) => {
      const text = JSON.stringify(body);
      if (input.current.text !== text) input.current = { text, key: newKey() };
      return request('POST /portal/api/buyer/returns', { body, idempotencyKey: input.current.key });
    },
    onSuccess: (filed) => {
      for (const key of ['claims', 'deliveries']) void queries.invalidateQueries({ queryKey: [key] });
      onFiled(filed);
    },
  });
  const reasons = reasonsOf(filings);
  const suggestions = suggestReturns(filings, reason);
  const isTicked = (id: string): boolean => {
    const one = suggestions.get(id);
    return one !== undefined && one.canFile && (ticks.get(id) ?? one.isSuggested);
  };
  const chosen = filings.filter(({ deliveryId }) => isTicked(deliveryId)).map(({ deliveryId }) => deliveryId);
  const needsProof = reasons.some(({ code, proofRequired }) => code === reason && proofRequired);
  const isMissingProof = needsProof && proof.trim() === '';
  return (
    <form
      aria-label="Return deliveries"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === '' || chosen.length === 0 || isMissingProof) return;
        mutate({ deliveryIds: chosen, reason, proof: proof.trim() === '' ? null : proof });
      }}
    >
      <Stack gap="md">
        <Radio.Group
          label="Reason for all"
          withAsterisk
          value={reason}
          onChange={(code) => {
            setReason(reasons.find((one) => one.code === code)?.code ?? '');
            setTicks(new Map());
          }}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
            {reasons.map(({ code }, position) => (
              <Radio
                key={code}
                value={code}
                label={reasonWords[code]}
                {...(position === 0 ? { 'data-autofocus': true } : {})}
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <Textarea
          label="Proof for all"
          description={`How you found the problem. ${needsProof ? 'This reason requires it.' : 'Optional, but it helps the reviewer.'}`}
          withAsterisk={needsProof}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={STATEMENT_MAX}
          value={proof}
          onChange={({ currentTarget }) => setProof(currentTarget.value)}
        />
        <Stack gap="sm" role="group" aria-label="Deliveries to return">
          {deliveries.map((delivery) => {
            const one = suggestions.get(delivery.deliveryId);
            return (
              <Checkbox
                key={delivery.deliveryId}
                label={<Title delivery={delivery} />}
                description={<Says suggestion={one ?? GONE} />}
                disabled={one?.canFile !== true}
                checked={isTicked(delivery.deliveryId)}
                onChange={({ currentTarget: { checked } }) =>
                  setTicks((before) => new Map([...before, [delivery.deliveryId, checked]]))
                }
                styles={{ body: { alignItems: 'flex-start' }, label: { overflowWrap: 'anywhere' } }}
              />
            );
          })}
        </Stack>
        <CapNotes filings={filings} isTicked={isTicked} />
        {error !== null && <Failure error={error} title="Nothing was filed" />}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {chosen.length} of {deliveries.length} ticked
          </Text>
          <Button variant="default" onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={reason === '' || chosen.length === 0 || isMissingProof}>
            File {count(chosen.length, 'return')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const GONE: Pick<Suggestion, 'tone' | 'words'> = { tone: 'bad', words: 'The delivery no longer exists.' };

function Says({ suggestion: { tone, words } }: { readonly suggestion: Pick<Suggestion, 'tone' | 'words'> }): ReactNode {
  return (
    <>
      <span aria-hidden="true" style={{ ...DOT, background: `var(--lm-${tone})` }} /> {words}
    </>
  );
}

const DOT = { display: 'inline-block', width: 8, height: 8, borderRadius: 8 } as const;

function Title({ delivery: { deliveryRef, lead, payout } }: { readonly delivery: Delivery }): ReactNode {
  const { currency } = usePortalSession();
  return (
    <>
      {deliveryRef} · {lead.fullName} · {formatMoney(payout, currency)}
    </>
  );
}

/** The reasons that any of them can be returned for. */
function reasonsOf(filings: readonly Filing[]): Filing['reasons'] {
  const possible = filings.filter((filing) => filing.return.allowed);
  return [...new Map(possible.flatMap(({ reasons }) => reasons).map((one) => [one.code, one])).values()];
}

function CapNotes({
  filings,
  isTicked,
}: {
  readonly filings: readonly Filing[];
  readonly isTicked: (deliveryId: string) => boolean;
}): ReactNode {
  const caps = new Map(
    filings
      .filter((filing) => filing.return.allowed)
      .map(({ cap, eventType }) => [`${eventType} ${cap.month}`, capWords(cap, eventType)]),
  );
  const above = aboveCaps(filings, isTicked);
  return (
    <>
      {caps.size > 0 && (
        <Text size="sm" c="dimmed">
          {[...caps.values()].join('. ')}. Reviewed within five business days.
        </Text>
      )}
      {above.map(({ cap, eventType, above: many }) => (
        <Alert key={`${eventType} ${cap.month}`} variant="outline" color="yellow" role="status">
          {count(many, 'return')} more than the cap allows for {unitOf(eventType)} of {monthWords(cap.month)}: the last
          ones will be refused.
        </Alert>
      ))}
    </>
  );
}

function Result({
  deliveries,
  filed: { results, caps },
  onClose,
}: {
  readonly deliveries: readonly Delivery[];
  readonly filed: FiledReturns;
  readonly onClose: () => void;
}): ReactNode {
  const filed = results.filter(({ refusal }) => refusal === null).length;
  return (
    <Stack gap="md">
      <Text fw={600} role="status">
        {count(filed, 'return')} filed, {results.length - filed} refused
      </Text>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {results.map(({ deliveryId, refusal }) => {
          const delivery = deliveries.find((one) => one.deliveryId === deliveryId);
          return (
            <li key={deliveryId}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {delivery === undefined ? deliveryId : <Title delivery={delivery} />}
              </Text>
              <Text size="sm" c="dimmed">
                {refusal === null ? 'Filed' : `Refused: ${refusal.meaning} ${refusal.remedy}`}
              </Text>
            </li>
          );
        })}
      </Stack>
      <Text size="sm">{capsLeft({ caps }).join(' ')}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

function capsLeft({ caps }: Pick<FiledReturns, 'caps'>): string[] {
  return caps.map(({ eventType, ...cap }) => `${capWords(cap, eventType)}.`);
}
