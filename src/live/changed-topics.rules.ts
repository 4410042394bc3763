// Which topics have changed between two looks (decision 022).

/** By topic, a text that is another when something of the topic is. */
export type Fingerprints = Readonly<Record<string, string>>;

export function changedTopics(before: Fingerprints, after: Fingerprints): string[] {
  return Object.keys(after).filter((topic) => before[topic] !== after[topic]);
}
