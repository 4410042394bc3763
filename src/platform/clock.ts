// The process's clock as a value, so that tests can pass another one to the entry points that read it.

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
