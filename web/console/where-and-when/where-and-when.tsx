// Where leads come from and when: a map of the US states, and the hours of the week, by one measure of the same days.
import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ReportQuestion } from '../../../src/reports/report-question.schema.ts';
import { DayFields, DayPresets, ReversedDays } from '../../ui/day-presets.tsx';
import { dayIn, daysBefore, isReversed } from '../../ui/days.ts';
import { Section } from '../../ui/facts.tsx';
import { choiceFilter, dayFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { textOfValues } from '../../ui/reports/question.ts';
import { ReportDays } from '../../ui/reports/report-days.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useZone } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { SupplierField } from '../leads/supplier-field.tsx';
import { PartnerField } from '../ledger/partner-field.tsx';
import { type Heat, HEAT_MEASURES, HEAT_NAMES, heatsOf } from './heat.ts';
import css from './heat.module.css';
import { HourTable } from './hour-table.tsx';
import { StateMap, StateTable } from './state-map.tsx';

const FILTERS = {
  show: choiceFilter(HEAT_NAMES),
  supplier: textFilter,
  partner: textFilter,
  from: dayFilter,
  to: dayFilter,
};

/** Without days chosen, and at most for the hours: those of many leads take long to count. */
const DAYS = 28;

type Conditions = Pick<ReportQuestion, 'supplier' | 'partner'>;
type Span = { readonly from: string; readonly until: string };

export function WhereAndWhenPage(): ReactNode {
  const [filters, change] = useFilters(FILTERS);
  const { supplier, partner, show } = filters;
  const today = dayIn(useZone(), new Date());
  const until = filters.to === '' ? today : filters.to;
  const from = filters.from === '' ? daysBefore(until, DAYS - 1) : filters.from;
  const conditions = {
    ...(supplier === '' ? {} : { supplier: textOfValues([supplier]) }),
    ...(partner === '' ? {} : { partner: textOfValues([partner]) }),
  };
  const heats = heatsOf({ isOfPartner: partner !== '' });
  const heat = heats.find(({ name }) => name === show) ?? heats[0];
  if (heat === undefined) return null;
  return (
    <Page title="Where and when" description={`The last ${DAYS} days, unless you choose others`}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }}>
        <NativeSelect
          label="Figure"
          data={heats.map(({ name, label }) => ({ value: name, label }))}
          value={heat.name}
          onChange={({ currentTarget: { value } }) => change({ show: FILTERS.show.read(value) })}
        />
        <SupplierField value={supplier} onChange={(value) => change({ supplier: value })} />
        <PartnerField value={partner} onChange={(value) => change({ partner: value })} />
        <DayFields days={filters} onChange={(days) => change(days, { push: false })} />
      </SimpleGrid>
      <DayPresets days={filters} onChange={(days) => change(days)} />
      {isReversed({ from, to: until }) ? (
        <ReversedDays />
      ) : (
        <Figures span={{ from, until }} conditions={conditions} heat={heat} heats={heats} />
      )}
    </Page>
  );
}

type FiguresProps = {
  readonly span: Span;
  readonly conditions: Conditions;
  readonly heat: Heat;
  readonly heats: readonly Heat[];
};

function Figures({ span, conditions, heat, heats }: FiguresProps): ReactNode {
  const query = useReport({ by: 'state', ...span, ...conditions });
  const searchOf = (code: string | null) => ({
    ...{ by: conditions.partner === undefined ? 'supplier,source' : 'offer', measures: heat.measures },
    ...{ span: 'days', ...span, state: code === null ? '-' : textOfValues([code]) },
    ...conditions,
  });
  return (
    <>
      <div className={css['both']}>
        <Section title={`${heat.label} by state`}>
          <Loaded query={query} what="Loading the states">
            {(report) => (
              <>
                <Text size="sm" c="dimmed">
                  <ReportDays report={report} />
                </Text>
                <StateMap report={report} heat={heat} searchOf={searchOf} />
              </>
            )}
          </Loaded>
        </Section>
        <Hours span={span} conditions={conditions} heat={heat} />
      </div>
      {query.data !== undefined && (
        <Section title="States">
          <StateTable report={query.data} heat={heat} heats={heats} searchOf={searchOf} />
        </Section>
      )}
    </>
  );
}

function Hours({ span, conditions, heat }: Omit<FiguresProps, 'heats'>): ReactNode {
  const first = daysBefore(span.until, DAYS - 1);
  const isCut = first > span.from;
  const query = useReport({ by: 'hour,weekday', until: span.until, from: isCut ? first : span.from, ...conditions });
  return (
    <Section title={`${heat.label} by hour and weekday`}>
      <Loaded query={query} what="Loading the hours">
        {(report) => (
          <>
            <Text size="sm" c="dimmed">
              <ReportDays report={report} />
              {isCut && (
                <>
                  {`. Only the last ${DAYS} days; `}
                  <PageLink
                    to="/reports"
                    search={{ by: 'hour,weekday', measures: heat.measures, span: 'days', ...span, ...conditions }}
                  >
                    the report
                  </PageLink>{' '}
                  has all of them.
                </>
              )}
            </Text>
            <HourTable report={report} heat={heat} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function useReport(asked: ReportQuestion) {
  const question = { ...asked, measures: HEAT_MEASURES.join(',') };
  return useQuery({
    queryKey: ['report', question],
    queryFn: ({ signal }) => request('GET /console/api/reports', { query: question, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
