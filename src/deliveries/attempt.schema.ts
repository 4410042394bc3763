// The attempt that partners read in the log of deliveries and in a timeline (contract 6.13).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const attemptExample = {
  attemptId: 'att_01m7wyk0j5f8mv2xk4qd0zt9ra',
  deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  deliveryRef: 'LS-100042',
  channel: 'webhook',
  target: 'https://crm.summit.example/…',
  attempt: 1,
  state: 'failed',
  responseCode: 503,
  responseSnippet: '{"error":"maintenance"}',
  latencyMs: 184,
  error: null,
  test: false,
  at: '2026-11-20T17:03:12.431Z',
  nextAttemptAt: '2026-11-20T17:03:17.902Z',
} as const;

export const AttemptSchema = Type.Object(
  {
    attemptId: Type.String({ examples: ['att_01m7wyk0j5f8mv2xk4qd0zt9ra'] }),
    deliveryId: orNull(Type.String({ description: 'Null for a test', examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'] })),
    deliveryRef: orNull(Type.String({ description: 'Null for a test', examples: ['LS-100042'] })),
    channel: Type.String({ description: 'webhook, email, sms, sheets or sheets_script', examples: ['webhook'] }),
    target: Type.String({
      description: 'The target, shortened for display',
      examples: ['https://crm.summit.example/…'],
    }),
    attempt: Type.Integer({
      minimum: 1,
      description: 'The number of the attempt, counted from the first attempt of one sending',
    }),
    state: Type.Enum(['scheduled', 'succeeded', 'failed', 'exhausted'], {
      description:
        'scheduled: in progress; failed: retried at nextAttemptAt if that is set; exhausted: it was the last attempt',
    }),
    responseCode: orNull(Type.Integer({ description: 'HTTP status, or reply code of a mail server', examples: [200] })),
    responseSnippet: orNull(
      Type.String({ description: 'The beginning of the response, at most 1 KiB', examples: ['{"ok":true}'] }),
    ),
    latencyMs: orNull(Type.Integer({ minimum: 0, description: 'Milliseconds until the response began' })),
    error: orNull(Type.String({ description: 'Why there was no response', examples: ['No response came in time.'] })),
    test: Type.Boolean({ description: 'Whether it was a test delivery' }),
    at: Type.String({ format: 'date-time', description: 'When the attempt began, UTC' }),
    nextAttemptAt: orNull(Type.String({ format: 'date-time', description: 'When it is tried again, UTC' })),
  },
  {
    $id: 'Attempt',
    description: 'One attempt to deliver a lead, a message or a test to you',
    examples: [attemptExample],
  },
);

export type AttemptView = Static<typeof AttemptSchema>;
