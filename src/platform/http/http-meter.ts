// Where the server reports how long each answer took; the metrics implement it, tests may leave it out.

/** Called once per answer. */
export type Observe = (status: number, elapsedMs: number) => void;

export type HttpMeter = {
  /** Called once per route at registration; `template` is the route as declared, never a URL. */
  forRoute(method: string, template: string): Observe;
};
