// By what the operator's list of invoices can be filtered (contract 7.7).

/** `open` are the issued ones and those that are overdue. */
export const listedStatuses = ['any', 'open', 'issued', 'overdue', 'paid', 'void'] as const;
export type ListedStatus = (typeof listedStatuses)[number];
