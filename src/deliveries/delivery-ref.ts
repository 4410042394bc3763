// The reference of a delivery that can be read over the phone, such as LS-100042 (contract 1.3).

const LETTERS = { 'Lead Sale': 'LS', 'Calendar Assigned': 'CA' } as const;

export type EventType = keyof typeof LETTERS;

export function deliveryRef(eventType: EventType, refNumber: number): string {
  return `${LETTERS[eventType]}-${refNumber}`;
}
