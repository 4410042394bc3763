// A run over a past month that issues a document per partner or supplier: a preview first, then issuing after a confirmation.
import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { useConsoleSession } from '../session.ts';
import { monthName } from './months.ts';

type ProgressLine = { readonly kind: 'progress'; readonly done: number; readonly of: number };
type AnyResult = { readonly kind: 'line' };
type AnyEnd = { readonly kind: 'end'; readonly isWhole: boolean; readonly existed: number };
type Money = (amount: number) => string;

export type MonthRunOf<Result extends AnyResult, End extends AnyEnd> = {
  readonly begin: (
    input: { readonly month: string; readonly dryRun: boolean },
    onLine: (line: Result | ProgressLine | End) => void,
  ) => Promise<unknown>;
  /** First part of the keys of queries that a run makes old. */
  readonly queryKey: string;
  /** One document and one of those who get it: `invoice`, `partner`. */
  readonly document: string;
  readonly owner: string;
  readonly intro: string;
  readonly monthLabel: string;
  readonly nothing: string;
  /** How many documents the run issued, or would issue, and to how many of all. */
  readonly made: (end: End) => number;
  readonly owners: (end: End) => number;
  readonly sums: (end: End, money: Money) => string;
  /** What to know before issuing. */
  readonly warning: (end: End, money: Money) => ReactNode;
  readonly columns: (money: Money) => ReadonlyArray<Column<Result>>;
  readonly rowKey: (result: Result) => string;
};

type Run<Result, End> = {
  readonly month: string;
  readonly isDry: boolean;
  readonly isBusy: boolean;
  readonly results: readonly Result[];
  readonly progress: ProgressLine | null;
  readonly end: End | null;
  readonly error: unknown;
};

export function MonthRun<Result extends AnyResult, End extends AnyEnd>({
  months,
  of,
}: {
  readonly months: readonly string[];
  readonly of: MonthRunOf<Result, End>;
}): ReactNode {
  const { currency } = useConsoleSession();
  const money = (amount: number): string => formatMoney(amount, currency);
  const [month, setMonth] = useState(months[0] ?? '');
  const [isAsking, setAsking] = useState(false);
  const { run, begin, reset } = useRun(of, month);
  const isBusy = run?.isBusy === true;
  const isIssuing = isBusy && !run.isDry;
  const state = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that started the run is gone.
    if (isIssuing) state.current?.focus();
  }, [isIssuing]);
  const previewed = run !== null && run.isDry && run.month === month ? run.end : null;
  const toMake = previewed === null ? 0 : of.made(previewed);
  return (
    <Section title="Monthly run">
      <Text size="sm" c="dimmed">
        {of.intro}
      </Text>
      <Group align="flex-end">
        <Select
          label={of.monthLabel}
          data={months.map((one) => ({ value: one, label: monthName(one) }))}
          value={month}
          allowDeselect={false}
          disabled={isBusy}
          onChange={(chosen) => {
            setMonth(chosen ?? month);
            reset();
          }}
        />
        <Button variant="default" onClick={() => void begin(true)} loading={isBusy && run.isDry} disabled={isBusy}>
          Preview
        </Button>
        {toMake > 0 && (
          <Button onClick={() => setAsking(true)} disabled={isBusy}>
            Issue {count(toMake, of.document)} …
          </Button>
        )}
      </Group>
      <div ref={state} tabIndex={-1} style={{ outline: 'none' }}>
        {run !== null && <RunState run={run} of={of} money={money} />}
      </div>
      <Confirm
        isOpen={isAsking}
        title={`Issue the ${of.document}s of ${monthName(month)}?`}
        action={`Issue ${count(toMake, of.document)}`}
        // The dialog closes at once: it would hide the progress of the run.
        onConfirm={() => {
          void begin(false);
          return Promise.resolve();
        }}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">{previewed !== null && of.warning(previewed, money)}</Stack>
      </Confirm>
    </Section>
  );
}

function useRun<Result extends AnyResult, End extends AnyEnd>(of: MonthRunOf<Result, End>, month: string) {
  const queries = useQueryClient();
  const [run, setRun] = useState<Run<Result, End> | null>(null);
  const begin = async (isDry: boolean): Promise<void> => {
    const fresh: Run<Result, End> = {
      ...{ month, isDry, isBusy: true },
      ...{ results: [], progress: null, end: null, error: null },
    };
    setRun(fresh);
    const change = (part: (before: Run<Result, End>) => Partial<Run<Result, End>>): void =>
      setRun((before) => ({ ...(before ?? fresh), ...part(before ?? fresh) }));
    try {
      await of.begin({ month, dryRun: isDry }, (line) => {
        change(({ results }) => {
          if (line.kind === 'line') return { results: [...results, line] };
          return line.kind === 'progress' ? { progress: line } : { end: line };
        });
      });
    } catch (error) {
      change(() => ({ error }));
    } finally {
      change(() => ({ isBusy: false }));
      if (!isDry) void queries.invalidateQueries({ queryKey: [of.queryKey] });
    }
  };
  return { run, begin, reset: () => setRun(null) };
}

type StateOf<Result extends AnyResult, End extends AnyEnd> = {
  readonly run: Run<Result, End>;
  readonly of: MonthRunOf<Result, End>;
  readonly money: Money;
};

function RunState<Result extends AnyResult, End extends AnyEnd>({ run, of, money }: StateOf<Result, End>): ReactNode {
  const { progress, isBusy, isDry, month, results, end, error } = run;
  return (
    <Stack gap="sm">
      <Stack role="status" gap="xs">
        {isBusy && (
          <>
            <Text size="sm">
              {isDry ? 'Previewing' : 'Issuing'} {monthName(month)}
              {progress === null ? '' : `: ${formatNumber(progress.done)} of ${count(progress.of, of.owner)}`} …
            </Text>
            <Progress
              value={progress === null ? 0 : (100 * progress.done) / progress.of}
              animated
              aria-label="Progress of the run"
            />
            {!isDry && (
              <Text size="sm" c="dimmed">
                The run continues if you leave this page.
              </Text>
            )}
          </>
        )}
        {end !== null && <Text fw={650}>{endWords({ run, of, money }, end)}</Text>}
      </Stack>
      {error !== null && <Failure error={error} title={isDry ? 'The preview failed' : 'The run failed'} />}
      {error !== null && !isDry && (
        <Text size="sm">What was issued so far remains. Preview the month again to see what is left.</Text>
      )}
      {results.length > 0 && (
        <DataTable
          caption={isDry ? 'Preview of the run' : 'Result of the run'}
          columns={of.columns(money)}
          rows={results}
          rowKey={of.rowKey}
          empty={null}
        />
      )}
      {end !== null && results.length === 0 && (
        <Empty title={`No ${of.document} to issue`}>
          {of.nothing} in {monthName(month)}, and nothing is carried over.
        </Empty>
      )}
    </Stack>
  );
}

function endWords<Result extends AnyResult, End extends AnyEnd>(
  { run: { isDry }, of, money }: StateOf<Result, End>,
  end: End,
): string {
  if (!end.isWhole) return 'The service stopped during the run. Preview the month again to see what is left.';
  const before = end.existed === 0 ? '' : ` ${count(end.existed, of.document)} existed already.`;
  const [made, sums] = [of.made(end), of.sums(end, money)];
  if (!isDry) return `${count(made, of.document)} issued: ${sums}.${before}`;
  const owners = count(of.owners(end), of.owner);
  return made === 0
    ? `No ${of.document} to issue for ${owners}.${before}`
    : `${count(made, of.document)} would be issued to ${owners}: ${sums}.${before}`;
}
