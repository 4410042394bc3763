// Compares the fingerprints of two polls to find the changed topics (decision 022).

/** By topic: a text that changes when the topic's data changes. */
export type Fingerprints = Readonly<Record<string, string>>;

export function changedTopics(before: Fingerprints, after: Fingerprints): string[] {
  return Object.keys(after).filter((topic) => before[topic] !== after[topic]);
}
