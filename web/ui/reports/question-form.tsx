// The fields with which a report is asked for: dimensions, measures, days, time zone, comparison, and filters.
import { Checkbox, Group, MultiSelect, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';

import type { Report, ReportDimension, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { type Asked, type ChangeAsked, dimensionsIn, measuresIn, SPANS, textOfValues, valuesIn } from './question.ts';
import { DIMENSION_NAMES, isTime, SPAN_NAMES } from './words.ts';

const DIMENSIONS_MAX = 3;

export type Choices = {
  readonly dimensions: readonly ReportDimension[];
  readonly measures: readonly ReportMeasure[];
  readonly measureNames: Readonly<Record<ReportMeasure, string>>;
};

export function QuestionForm({
  asked,
  change,
  choices,
  report,
}: {
  readonly asked: Asked;
  readonly change: ChangeAsked;
  readonly choices: Choices;
  /** The report that is shown: its keys are suggested as values of filters, and its time zone as the default. */
  readonly report: Report | undefined;
}): ReactNode {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <MultiSelect
          label="Split by"
          description="Up to three, in this order"
          data={choices.dimensions.map((name) => ({ value: name, label: DIMENSION_NAMES[name] }))}
          value={dimensionsIn(asked.by)}
          onChange={(names) => change({ by: names.join(','), sort: '' })}
          maxValues={DIMENSIONS_MAX}
          searchable
          hidePickedOptions
        />
        <MultiSelect
          label="Figures"
          description="The chart shows the first of them, unless another is chosen there"
          data={choices.measures.map((name) => ({ value: name, label: choices.measureNames[name] }))}
          value={measuresIn(asked.measures)}
          onChange={(names) => names.length > 0 && change({ measures: names.join(','), sort: '', chart: '' })}
          searchable
          hidePickedOptions
        />
      </SimpleGrid>
      <Days asked={asked} change={change} report={report} />
      <ValueFilters asked={asked} change={change} choices={choices} report={report} />
    </Stack>
  );
}

function Days({
  asked: { span, from, until, timeZone, compare },
  change,
  report,
}: {
  readonly asked: Asked;
  readonly change: ChangeAsked;
  readonly report: Report | undefined;
}): ReactNode {
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], []);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Select
        label="Days"
        data={SPANS.map((name) => ({ value: name, label: name === 'days' ? 'From a day to a day' : SPAN_NAMES[name] }))}
        value={span}
        allowDeselect={false}
        onChange={(chosen) => {
          const next = SPANS.find((name) => name === chosen) ?? SPANS[0];
          // The days that were shown are the ones to start from.
          change(
            next === 'days'
              ? { span: next, from: report?.from ?? from, until: report?.until ?? until }
              : { span: next, from: '', until: '' },
          );
        }}
      />
      {span === 'days' && (
        <>
          <TextInput
            type="date"
            label="First day"
            value={from}
            {...(until === '' ? {} : { max: until })}
            onChange={(event) => change({ from: event.currentTarget.value }, { push: false })}
          />
          <TextInput
            type="date"
            label="Last day"
            value={until}
            {...(from === '' ? {} : { min: from })}
            onChange={(event) => change({ until: event.currentTarget.value }, { push: false })}
          />
        </>
      )}
      <Select
        label="Time zone"
        placeholder={report?.timeZone ?? ''}
        data={zones}
        value={timeZone === '' ? null : timeZone}
        onChange={(zone) => change({ timeZone: zone ?? '' })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear time zone' }}
        limit={50}
      />
      <Checkbox
        label="Compare with the previous period"
        checked={compare === 'previous'}
        onChange={({ currentTarget }) => change({ compare: currentTarget.checked ? 'previous' : '' })}
        style={{ alignSelf: 'end' }}
      />
    </SimpleGrid>
  );
}

/** One field for each dimension that is filtered by; emptied, it disappears. */
function ValueFilters({
  asked,
  change,
  choices,
  report,
}: {
  readonly asked: Asked;
  readonly change: ChangeAsked;
  readonly choices: Choices;
  readonly report: Report | undefined;
}): ReactNode {
  const [added, setAdded] = useState<ReportDimension | null>(null);
  const shown = choices.dimensions.filter((name) => asked[name] !== '' || name === added);
  // Days and weeks are chosen above.
  const further = choices.dimensions.filter(
    (name) => !shown.includes(name) && (!isTime(name) || name === 'hour' || name === 'weekday'),
  );
  return (
    <Group align="flex-end" gap="md">
      {shown.map((name) => (
        <TagsInput
          key={name}
          label={`Only ${DIMENSION_NAMES[name].toLowerCase()}`}
          description="Press Enter after each one"
          data={keysOf(report, name)}
          value={valuesIn(asked[name])}
          onChange={(values) => {
            setAdded(values.length === 0 ? name : null);
            change({ [name]: textOfValues(values) });
          }}
          acceptValueOnBlur
          splitChars={[',']}
          miw={220}
        />
      ))}
      <Select
        label="Add a filter"
        placeholder="Choose"
        data={further.map((name) => ({ value: name, label: DIMENSION_NAMES[name] }))}
        value={null}
        onChange={(name) => setAdded(further.find((one) => one === name) ?? null)}
      />
    </Group>
  );
}

function keysOf(report: Report | undefined, name: ReportDimension): string[] {
  const place = report?.dimensions.indexOf(name) ?? -1;
  if (report === undefined || place === -1) return [];
  return [...new Set(report.rows.flatMap(({ keys }) => keys[place] ?? '-'))];
}
