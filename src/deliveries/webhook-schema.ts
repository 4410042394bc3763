// What is sent to partners' endpoints, for the OpenAPI document (contract 5).

const DESCRIPTIONS = {
  'webhook-id': 'The same on every attempt of one message.',
  'webhook-timestamp': 'Seconds since 1970, when this attempt was sent.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body; two of them while a secret is being replaced.',
};

const headers = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** The path item of one type; `data` is the schema of its member of that name. */
export function webhook(type: string, summary: string, data: object): object {
  return {
    post: {
      operationId: `on${type
        .split(/[._]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`,
      summary,
      description:
        'Signed by Standard Webhooks with the secret of the partner. The id is the same on every attempt: use it to take a message once. Answer 2xx within 15 s; 410 disables the endpoint.',
      tags: ['Buyer'],
      // The signature says who it comes from.
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
                type: { const: type },
                timestamp: { type: 'string', format: 'date-time' },
                data,
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'Taken.' } },
    },
  };
}

export const leadWebhooks: Readonly<Record<string, object>> = {
  'lead.delivered': webhook('lead.delivered', 'A lead was sold to you', { $ref: '#/components/schemas/Delivery' }),
  'lead.test': webhook('lead.test', 'You asked for a test; the lead is nobody’s, and nothing is billed', {
    allOf: [
      { $ref: '#/components/schemas/Delivery' },
      { type: 'object', required: ['test'], properties: { test: { type: 'boolean', const: true } } },
    ],
  }),
};
