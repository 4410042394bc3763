// Turns the totals of a report into the steps of the funnel: leads until they are matched, then deliveries.
import type { ReportMeasure, ReportValues } from '../../../src/reports/report.schema.ts';

export const FUNNEL_MEASURES = [
  ...(['submitted', 'accepted', 'refused', 'sold', 'unsold'] as const),
  ...(['deliveries', 'confirmed', 'kept', 'returned'] as const),
] satisfies readonly ReportMeasure[];

export type FunnelStep = {
  readonly measure: (typeof FUNNEL_MEASURES)[number];
  readonly count: number;
  /** Of the largest step, for the bar. */
  readonly width: number;
  /** Of the step before; null for the first step, and after a step of nothing. */
  readonly share: number | null;
  /** What is missing of the step before because it is lost. */
  readonly lost: number;
  /** What is missing of the step before because it is not decided yet. */
  readonly open: number;
};

export function funnelSteps(values: ReportValues): FunnelStep[] {
  const of = (name: (typeof FUNNEL_MEASURES)[number]): number => values[name] ?? 0;
  const steps = [
    { measure: 'submitted', lost: 0, open: 0 },
    { measure: 'accepted', lost: of('refused'), open: 0 },
    { measure: 'sold', lost: of('unsold'), open: of('accepted') - of('sold') - of('unsold') },
    { measure: 'deliveries', lost: 0, open: 0 },
    { measure: 'confirmed', lost: of('deliveries') - of('confirmed'), open: 0 },
    { measure: 'kept', lost: of('returned'), open: 0 },
  ] as const;
  const largest = Math.max(...steps.map(({ measure }) => of(measure)));
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const whole = before === undefined ? 0 : of(before.measure);
    const count = of(step.measure);
    return { ...step, count, width: largest === 0 ? 0 : count / largest, share: whole === 0 ? null : count / whole };
  });
}
