// Which topics have changed between two looks (decision 022).

/** By topic, a text that is another when something of the topic is. */
export type Marks = Readonly<Record<string, string>>;

export function changedTopics(before: Marks, after: Marks): string[] {
  return Object.keys(after).filter((topic) => before[topic] !== after[topic]);
}
