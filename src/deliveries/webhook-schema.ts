// What is sent to partners' endpoints, for the OpenAPI document (contract 5).

const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
}));

function webhook(type: string, summary: string, data: object): object {
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
};
