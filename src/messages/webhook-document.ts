// Describes webhook messages in the OpenAPI document, for suppliers and partners (contract 5.1).

const DESCRIPTIONS = {
  'webhook-id': 'The same on every attempt of one message.',
  'webhook-timestamp': 'The Unix time in seconds at which this attempt was sent.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body; two of them, separated by a space, within 24 hours of a rotation.',
};

const headers = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

export type WebhookDescription = {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Supplier' | 'Buyer';
  /** The schema of the message's `data`. */
  readonly data: object;
};

/** The path item of one type of message. */
export function webhookItem({ type, summary, description, tag, data }: WebhookDescription): object {
  return {
    post: {
      operationId: `on${type
        .split(/[._]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`,
      summary,
      description,
      tags: [tag],
      // No credentials: the signature authenticates the sender.
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              properties: {
                type: { type: 'string', const: type },
                timestamp: { type: 'string', format: 'date-time' },
                data,
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'Any 2xx status accepts the message.' } },
    },
  };
}
