// The four statuses of a delivery, as stored and on the wire (contract 4.9).
export const deliveryStatuses = ['Pending', 'Confirmed', 'Failed', 'Returned'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
