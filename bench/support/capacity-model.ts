// Plans the processes of a market from costs per lead, and lets a day of leads flow through them.
/** Per lead, in microseconds of a core. */
export type CostModel = {
  readonly ingestNodeMicros: number;
  readonly workerNodeMicros: number;
  readonly postgresMicros: number;
  /** From response to webhook where nothing waits. */
  readonly baseMs: number;
  /** On disk, with indexes. */
  readonly bytes: number;
};

export type Day = {
  readonly leads: number;
  /** Of the leads of a cell, what one partner buys. */
  readonly hotShare: number;
  /** Of its endpoint. */
  readonly responseMs: number;
};

/** Processes and cores of one cell. */
export type Plan = {
  readonly cells: number;
  readonly api: number;
  readonly workers: number;
  readonly postgresCores: number;
};

export type Simulated = {
  readonly peakPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly gigabytesPerYear: number;
};

/** Leads of each hour, as parts of the average hour, from midnight in New York. */
const HOURS = [
  0.3, 0.2, 0.15, 0.15, 0.2, 0.3, 0.5, 0.8, 1.2, 1.7, 2, 2.2, 2.1, 1.9, 1.8, 1.7, 1.6, 1.4, 1.2, 1, 0.9, 0.7, 0.6, 0.4,
];
const AVERAGE = HOURS.reduce((sum, part) => sum + part, 0) / HOURS.length;
/** A minute has at most this much of its hour's average, and at least half of it. */
const MINUTE_PEAK = 1.5;
const USED = 0.6;
/** The largest primary that is planned, and the most that it holds after a year: a backup of it is read back in about a day. */
const CORES_MOST = 32;
const GIGABYTES_MOST = 10_000;
const SLOTS_PER_ENDPOINT = 16;
const SECONDS = 86_400;
const TICKS = 10;
/** Another number gives another day of the same kind. */
const SEED = 11;

/** The fewest processes that have 40 % of their cores to spare in the busiest hour, and keep up with the hot partner. */
export function planFor(day: Day, costs: CostModel): Plan {
  const peak = (day.leads / SECONDS) * (Math.max(...HOURS) / AVERAGE);
  const coresFor = (micros: number, cells: number): number => Math.ceil(((peak / cells) * (micros / 1e6)) / USED);
  const cells = Math.ceil(
    Math.max(coresFor(costs.postgresMicros, 1) / CORES_MOST, gigabytesPerYear(day, costs) / GIGABYTES_MOST),
  );
  // Each worker process sends to the hot partner's endpoint this often a second.
  const perWorker = SLOTS_PER_ENDPOINT / (day.responseMs / 1000);
  const forHot = Math.ceil((peak * day.hotShare) / USED / perWorker / cells);
  return {
    cells,
    api: Math.max(2, coresFor(costs.ingestNodeMicros, cells)),
    workers: Math.max(2, coresFor(costs.workerNodeMicros, cells), forHot),
    postgresCores: Math.max(2, coresFor(costs.postgresMicros, cells)),
  };
}

/** One cell, a tenth of a second at a time, about as long as a batch: what a stage cannot take waits for the next. */
export function simulateDay(day: Day, plan: Plan, costs: CostModel): Simulated {
  const random = seededRandom();
  const perWorker = SLOTS_PER_ENDPOINT / (day.responseMs / 1000);
  const perTick = [
    (plan.api * 1e6) / costs.ingestNodeMicros,
    Math.min((plan.workers * 1e6) / costs.workerNodeMicros, (plan.postgresCores * 1e6) / costs.postgresMicros),
    // The leads of the hot partner are a part of all; so is what its endpoint can take.
    (plan.workers * perWorker) / day.hotShare,
  ].map((perSecond) => perSecond / TICKS);
  const waiting = perTick.map(() => 0);
  /** Leads by how long they took. */
  const delays = new Map<number, number>();
  let peakPerSecond = 0;
  for (let tick = 0; tick < SECONDS * TICKS; tick += 1) {
    const mean = (day.leads / plan.cells / SECONDS / TICKS) * loadAt(tick / TICKS);
    const arrived = poisson(mean, random);
    peakPerSecond = Math.max(peakPerSecond, mean * TICKS * plan.cells);
    let [leads, ticks] = [arrived, 0];
    for (const [stage, capacity] of perTick.entries()) {
      const all = (waiting[stage] ?? 0) + leads;
      // Those before it, and half of those that came with it.
      ticks += (all - leads / 2) / capacity;
      leads = Math.min(all, capacity);
      waiting[stage] = all - leads;
    }
    const ms = Math.round(costs.baseMs + (ticks * 1000) / TICKS);
    delays.set(ms, (delays.get(ms) ?? 0) + arrived);
  }
  return {
    peakPerSecond,
    p50Ms: percentileOf(delays, 50),
    p99Ms: percentileOf(delays, 99),
    gigabytesPerYear: gigabytesPerYear(day, costs),
  };
}

function gigabytesPerYear({ leads }: Day, { bytes }: CostModel): number {
  return (leads * 365 * bytes) / 1e9;
}

/** The load of a second of the day, as a part of the average. */
function loadAt(second: number): number {
  const minute = Math.floor(second / 60);
  return ((HOURS[Math.floor(second / 3600)] ?? 1) / AVERAGE) * (1 + (MINUTE_PEAK - 1) * (2 * noiseOf(minute) - 1));
}

function percentileOf(counts: ReadonlyMap<number, number>, percent: number): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [value, count] of [...counts].toSorted(([one], [other]) => one - other)) {
    seen += count;
    if (seen >= (percent / 100) * total) return value;
  }
  return Number.NaN;
}

/** Normal for large means, which is as good. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let [count, product] = [0, random()];
  while (product > limit) {
    count += 1;
    product *= random();
  }
  return count;
}

/** From 0 to 1, the same for the same number. */
function noiseOf(number: number): number {
  const value = Math.sin(number * 12.9898 + SEED) * 43_758.5453;
  return value - Math.floor(value);
}

function seededRandom(): () => number {
  let state = SEED;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
