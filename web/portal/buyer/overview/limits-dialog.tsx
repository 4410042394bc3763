// The dialog in which a partner limits an offer further: caps, budgets and states, tried on the sales of the last weeks. Import this file
// only through `lazyPart`.
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Limits, LimitsTrial } from '../../../../src/portal/buyer/limits.schema.ts';
import type { OwnLimitsForm } from '../../../../src/routing/own-limits.schema.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { count, formatDate, formatMoney, formatNumber } from '../../../ui/formats.ts';
import { RequestError } from '../../../ui/request.ts';
import { Failure } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';

const WINDOWS = ['daily', 'weekly', 'monthly'] as const;
type Window = (typeof WINDOWS)[number];
const WINDOW_WORDS: Readonly<Record<Window, string>> = { daily: 'a day', weekly: 'a week', monthly: 'a month' };

type Texts = Readonly<Record<string, string>>;

export function LimitsDialog({
  limits,
  onClose,
}: {
  readonly limits: Limits;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const { offerKey, name, bounds, own, currency } = limits;
  const [texts, setTexts] = useState<Texts>(() => textsOf(own));
  const [fault, setFault] = useState<unknown>(null);
  const form = formOf(texts);
  const faultOf = (field: string): string | undefined =>
    fault instanceof RequestError ? fault.faults.find((one) => one.field === field)?.message : undefined;
  const input = (field: string) => ({
    value: texts[field] ?? '',
    error: faultOf(field) ?? (form.wrong.includes(field) ? 'must be a number' : undefined),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTexts((before) => ({ ...before, [field]: currentTarget.value })),
  });
  const save = async (): Promise<void> => {
    setFault(null);
    try {
      await request('PUT /portal/api/buyer/offers/:offerKey/limits', { params: { offerKey }, body: form.limits });
    } catch (error) {
      setFault(error);
      throw error;
    }
    await Promise.all(['account', 'deliveries'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <Confirm
      isOpen
      title={`Limits of ${name}`}
      action="Save limits"
      isReady={form.wrong.length === 0}
      onConfirm={save}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        They narrow what the operator set, from the next lead on. What was bought before in the same day, week or month
        counts. Empty: no limit of your own.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        {WINDOWS.map((window, position) => (
          <TextInput
            key={window}
            label={`Leads ${WINDOW_WORDS[window]}`}
            description={bounds.caps[window] === null ? 'No cap set' : `At most ${formatNumber(bounds.caps[window])}`}
            inputMode="numeric"
            autoComplete="off"
            data-autofocus={position === 0 ? true : undefined}
            {...input(`caps.${window}`)}
          />
        ))}
        {WINDOWS.map((window) => (
          <TextInput
            key={window}
            label={`Spend ${WINDOW_WORDS[window]}`}
            description={
              bounds.budget[window] === null
                ? `In ${currency}`
                : `At most ${formatMoney(bounds.budget[window], currency)}`
            }
            inputMode="decimal"
            autoComplete="off"
            {...input(`budget.${window}`)}
          />
        ))}
      </SimpleGrid>
      <TextInput
        label="No leads from"
        description={statesNote(bounds)}
        placeholder="TX, FL"
        autoComplete="off"
        {...input('statesNot')}
        error={faultOf('statesNot') ?? (form.wrong.includes('statesNot') ? 'must be states of two letters' : undefined)}
      />
      <Trial offerKey={offerKey} limits={form.wrong.length === 0 ? form.limits : null} currency={currency} />
    </Confirm>
  );
}

function statesNote({ states, statesNot }: Limits['bounds']): string {
  if (states.length > 0) return `States of two letters. The offer buys from ${states.join(', ')}.`;
  if (statesNot.length > 0) return `States of two letters, besides ${statesNot.join(', ')}.`;
  return 'States of two letters.';
}

/** After the last key, before a request. */
const TYPING_MS = 400;

function Trial({
  offerKey,
  limits,
  currency,
}: {
  readonly offerKey: string;
  /** Null while some text is wrong. */
  readonly limits: OwnLimitsForm | null;
  readonly currency: string;
}): ReactNode {
  const [text] = useDebouncedValue(limits === null ? null : JSON.stringify(limits), TYPING_MS);
  const query = useQuery({
    queryKey: ['account', 'limits', offerKey, 'trial', text],
    queryFn: ({ signal }) =>
      request('POST /portal/api/buyer/offers/:offerKey/limits/trial', {
        params: { offerKey },
        body: JSON.parse(text ?? '') as OwnLimitsForm,
        signal,
      }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
  if (query.data === undefined) return query.error === null ? null : <Failure error={query.error} />;
  return (
    <Text size="sm" role="status">
      {trialWords(query.data, currency)}
    </Text>
  );
}

function trialWords({ from, until, bought, kept }: LimitsTrial, currency: string): string {
  const span = `From ${formatDate(from)} to ${formatDate(until)}`;
  if (bought.leads === 0) return `${span} the offer bought no leads.`;
  const all = `${count(bought.leads, 'lead')} for ${formatMoney(bought.cost, currency)}`;
  if (kept.leads === bought.leads) return `${span} you bought ${all}. These limits would have changed nothing.`;
  return `${span} you bought ${all}. With these limits it would have been ${count(kept.leads, 'lead')} for ${formatMoney(kept.cost, currency)}.`;
}

function textsOf({ caps, budget, statesNot }: OwnLimitsForm): Texts {
  return {
    ...Object.fromEntries(WINDOWS.map((window) => [`caps.${window}`, String(caps[window] ?? '')])),
    ...Object.fromEntries(WINDOWS.map((window) => [`budget.${window}`, String(budget[window] ?? '')])),
    statesNot: statesNot.join(', '),
  };
}

/** `wrong`: the fields whose text is no limit. */
function formOf(texts: Texts): { readonly limits: OwnLimitsForm; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  const limitOf = (field: string, pattern: RegExp): number | null => {
    const text = (texts[field] ?? '').trim().replaceAll(',', '');
    if (text === '') return null;
    if (!pattern.test(text)) wrong.push(field);
    return Number(text);
  };
  const perWindow = (kind: string, pattern: RegExp): OwnLimitsForm['caps'] => ({
    daily: limitOf(`${kind}.daily`, pattern),
    weekly: limitOf(`${kind}.weekly`, pattern),
    monthly: limitOf(`${kind}.monthly`, pattern),
  });
  const caps = perWindow('caps', /^\d{1,9}$/);
  const budget = perWindow('budget', /^\d{1,9}(?:\.\d{1,2})?$/);
  const states = (texts['statesNot'] ?? '')
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((state) => state !== '');
  if (states.some((state) => !/^[A-Z]{2}$/.test(state))) wrong.push('statesNot');
  return { limits: { caps, budget, statesNot: states }, wrong };
}
