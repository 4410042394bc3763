// The process's clock as a value, so that the doors that read it can be given another one in tests.

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
