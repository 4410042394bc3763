// The form that files a return or dispute. Errors of the service appear at the field that they concern.
import { Alert, Button, Group, Radio, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { DisputeRequest, ReturnRequest } from '../../../../sdk/typescript/client.ts';
import { FilterChecks } from '../../../ui/filter-checks.tsx';
import { notify, notifyFailure } from '../../../ui/notify.tsx';
import { newKey, RequestError } from '../../../ui/request.ts';
import { Failure } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { attachFiles, FilesField } from './claim-files.tsx';
import { kindWords, reasonWords } from './claim-words.ts';
import { duplicateWords, isContradicted, NO_FILTER, ownDataOn, type ReasonChoice } from './own-data.ts';
import type { PortalClaim } from '../../../../src/portal/buyer/claims.schema.ts';
import type { Filing } from '../../../../src/portal/buyer/filing.schema.ts';

type Draft = {
  readonly reason: ReasonChoice;
  readonly statement: string;
  readonly evidenceUrl: string;
};
type Field = keyof Draft;

const STATEMENT_MAX = 10_000;
const FIELD_OF_MEMBER: Readonly<Record<string, Field>> = {
  reason: 'reason',
  proof: 'statement',
  detail: 'statement',
  evidenceUrl: 'evidenceUrl',
};
/** Error codes that concern a field without naming it. */
const FIELD_OF_CODE: Readonly<Record<string, Field>> = {
  reason_kind_mismatch: 'reason',
  proof_required: 'statement',
  detail_required: 'statement',
  evidence_required: 'evidenceUrl',
};

export function FileClaim({
  kind,
  filing,
  onDone,
}: {
  readonly kind: PortalClaim['kind'];
  readonly filing: Filing;
  /** Gets the id of the filed claim, or null if none was filed. */
  readonly onDone: (claimId: string | null) => void;
}): ReactNode {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ reason: '', statement: '', evidenceUrl: '' });
  const [missing, setMissing] = useState<Partial<Record<Field, string>>>({});
  // A filing repeated after no response must not become a second claim, so the key stays while the content does.
  const input = useRef({ text: '', key: newKey() });
  const [files, setFiles] = useState<readonly File[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (body: ReturnRequest | DisputeRequest) => {
      const text = JSON.stringify(body);
      if (input.current.text !== text) input.current = { text, key: newKey() };
      return request(`POST /portal/api/v1/buyer/${kind}s`, { body, idempotencyKey: input.current.key });
    },
    onSuccess: async (filed) => {
      const claimId = 'returnId' in filed ? filed.returnId : 'disputeId' in filed ? filed.disputeId : null;
      notify(`${kindWords[kind]} filed. The decision will appear here.`);
      // The claim stands without a file that is refused; its card says what is there and takes more.
      if (claimId !== null) await attachFiles(claimId, files).catch(notifyFailure);
      await queries.invalidateQueries({ queryKey: ['claims'] });
      void queries.invalidateQueries({ queryKey: ['deliveries'] });
      onDone(claimId);
    },
  });
  const change = (changed: Partial<Draft>): void => {
    setDraft({ ...draft, ...changed });
    setMissing({});
    if (error !== null) reset();
  };
  const submit = (): void => {
    const faults = faultsOf(kind, draft, filing);
    setMissing(faults);
    const body = bodyOf(kind, draft, filing);
    if (Object.keys(faults).length === 0 && body !== null) mutate(body);
  };
  const problems: Partial<Record<Field, string>> = { ...fieldErrors(error), ...missing };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const isFaulty = Object.keys({ ...fieldErrors(error), ...missing }).length > 0;
    if (isFaulty) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faulty] input')?.focus();
  }, [error, missing]);
  const hasProblems = Object.keys(problems).length > 0;
  return (
    <form
      ref={form}
      aria-label={`File a ${kind}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md" maw={680}>
        <Title order={3} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          File a {kind}
        </Title>
        <Text size="sm">
          Until <Time at={filing[kind].until} />.{' '}
          {kind === 'return'
            ? `${filing.cap.remaining} of ${filing.cap.limit} left of the monthly cap.`
            : 'Disputes have no cap.'}{' '}
          Reviewed within five business days.
        </Text>
        <Reasons
          filing={filing}
          value={draft.reason}
          error={problems.reason}
          onChange={(reason) => change({ reason })}
        />
        <OwnData filing={filing} reason={draft.reason} />
        <Statement kind={kind} filing={filing} draft={draft} error={problems.statement} onChange={change} />
        {kind === 'dispute' && (
          <Evidence filing={filing} draft={draft} error={problems.evidenceUrl} onChange={change} />
        )}
        <FilesField label="Files" value={files} onChange={setFiles} />
        {error !== null && !hasProblems && <Failure error={error} title={`The ${kind} was not filed`} />}
        <Group>
          <Button type="submit" loading={isPending}>
            {isContradicted(ownDataOn(filing, draft.reason)) ? `File ${kind} anyway` : `File ${kind}`}
          </Button>
          <Button variant="default" onClick={() => onDone(null)} disabled={isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Part = {
  readonly filing: Filing;
  readonly draft: Draft;
  readonly error: string | undefined;
  readonly onChange: (change: Partial<Draft>) => void;
};

function Reasons({
  filing,
  value,
  error,
  onChange,
}: {
  readonly filing: Filing;
  readonly value: Draft['reason'];
  readonly error: string | undefined;
  readonly onChange: (reason: Draft['reason']) => void;
}): ReactNode {
  return (
    <Radio.Group
      label="Reason"
      withAsterisk
      value={value}
      onChange={(chosen) => onChange(filing.reasons.find(({ code }) => code === chosen)?.code ?? '')}
      error={error}
    >
      <Stack gap="xs" mt={6} {...(error === undefined ? {} : { 'data-faulty': true })}>
        {filing.reasons.map(({ code }) => (
          <Radio key={code} value={code} label={reasonWords[code]} description={code} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** What the reviewer will see beside the claim, before it takes a slot of the monthly cap. */
function OwnData({ filing, reason }: { readonly filing: Filing; readonly reason: Draft['reason'] }): ReactNode {
  const data = ownDataOn(filing, reason);
  if (data === null) return null;
  const isAgainst = isContradicted(data);
  const title = isAgainst ? 'Our data do not support this reason' : 'Our data support this reason';
  return (
    <Alert variant="outline" color={isAgainst ? 'yellow' : 'gray'} title={title} role="status">
      {data.about === 'duplicate' ? (
        <Text size="sm">{duplicateWords(data)}</Text>
      ) : data.checks.length === 0 ? (
        <Text size="sm">{NO_FILTER}</Text>
      ) : (
        <FilterChecks checks={data.checks} />
      )}
      {isAgainst && (
        <Text size="sm" mt="xs">
          The reviewer sees the same. You can file it anyway: say in the text what our data do not show.
        </Text>
      )}
    </Alert>
  );
}

function Statement({ kind, filing, draft, error, onChange }: Part & { readonly kind: PortalClaim['kind'] }): ReactNode {
  const isRequired = kind === 'dispute' || needsProof(filing, draft.reason);
  const words =
    kind === 'return'
      ? ['Proof', 'How you found the problem: calls made, bounced emails, what was said.']
      : ['Detail', 'Why you dispute the delivery.'];
  return (
    <Textarea
      label={words[0]}
      description={`${words[1]} ${isRequired ? '' : 'Optional, but it helps the reviewer.'}`}
      withAsterisk={isRequired}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={STATEMENT_MAX}
      value={draft.statement}
      error={error}
      onChange={({ currentTarget }) => onChange({ statement: currentTarget.value })}
    />
  );
}

function Evidence({ filing, draft, error, onChange }: Part): ReactNode {
  return (
    <TextInput
      type="url"
      label="Evidence URL"
      description="An https URL for the reviewer, such as a recording. The service itself never opens it."
      placeholder="https://"
      withAsterisk={needsProof(filing, draft.reason)}
      maxLength={2048}
      value={draft.evidenceUrl}
      error={error}
      onChange={({ currentTarget }) => onChange({ evidenceUrl: currentTarget.value })}
    />
  );
}

function needsProof({ reasons }: Filing, reason: Draft['reason']): boolean {
  // Before a reason is chosen: whether all of them need proof.
  if (reason === '') return reasons.every(({ proofRequired }) => proofRequired);
  return reasons.some(({ code, proofRequired }) => code === reason && proofRequired);
}

/** Checks that need no request. */
function faultsOf(kind: PortalClaim['kind'], draft: Draft, filing: Filing): Partial<Record<Field, string>> {
  const isBlank = (text: string): boolean => text.trim() === '';
  const proof = needsProof(filing, draft.reason);
  return {
    ...(draft.reason === '' ? { reason: 'Choose a reason.' } : {}),
    ...(isBlank(draft.statement) && (kind === 'dispute' || proof)
      ? { statement: kind === 'return' ? 'This reason requires proof.' : 'Say why you dispute the delivery.' }
      : {}),
    ...(kind === 'dispute' && proof && isBlank(draft.evidenceUrl)
      ? { evidenceUrl: 'This reason requires an evidence URL.' }
      : {}),
  };
}

/** Null until a reason is chosen. */
function bodyOf(
  kind: PortalClaim['kind'],
  { reason, statement, evidenceUrl }: Draft,
  { deliveryId }: Filing,
): ReturnRequest | DisputeRequest | null {
  if (reason === '') return null;
  if (kind === 'return') return { deliveryId, reason, proof: statement.trim() === '' ? null : statement };
  const url = evidenceUrl.trim();
  return { deliveryId, reason, detail: statement, evidenceUrl: url === '' ? null : url };
}

/** Error messages by field; empty if the error concerns no field. */
function fieldErrors(error: unknown): Partial<Record<Field, string>> {
  if (!(error instanceof RequestError)) return {};
  const field = FIELD_OF_CODE[error.code];
  if (field !== undefined) return { [field]: error.message };
  return Object.fromEntries(
    error.faults.flatMap(({ field: member, message }) => {
      const known = FIELD_OF_MEMBER[member];
      return known === undefined ? [] : [[known, `It ${message}.`]];
    }),
  );
}
