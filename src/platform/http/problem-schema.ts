// The schema of problem documents for the OpenAPI document, and the helper by which routes declare their problems.
import { Type } from 'typebox';

import { problemCatalogue, type ProblemCode } from './problem-catalogue.ts';
import { PROBLEM_TYPE } from './problem.ts';

const problemExample = {
  type: '/docs/errors/invalid_query',
  title: problemCatalogue.invalid_query.title,
  status: 400,
  detail: problemCatalogue.invalid_query.meaning,
  code: 'invalid_query',
  requestId: '0b7f2d1e-6c1e-7b0e-9a53-0d8a5c1f7a10',
  errors: [{ field: 'pageSize', code: 'out_of_range', message: 'must be <= 100' }],
} as const;

export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      description: 'Path of the page that explains the code.',
      examples: ['/docs/errors/not_found'],
    }),
    title: Type.String({ description: 'The short name of the error, the same for every occurrence of the code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'A sentence for humans about this occurrence. Do not parse it.' }),
    code: Type.String({ description: 'A stable identifier for programs.', examples: ['not_found'] }),
    requestId: Type.String({
      description: 'The id of the request, also in the header X-Request-Id. Quote it when you ask for help.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'The member or parameter. Nested members have a dotted path.' }),
          code: Type.String({ description: 'A stable identifier for programs.', examples: ['required'] }),
          message: Type.String(),
        }),
        { description: 'The members of the body or parameters of the query that have errors.' },
      ),
    ),
  },
  {
    $id: 'Problem',
    title: 'Problem',
    description: 'An error response (RFC 9457). /docs/errors lists all codes.',
    additionalProperties: true,
    examples: [problemExample],
  },
);

type ProblemResponse = {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
};

/** `{ 200: …, ...documentedProblems('delivery_not_found', 'claim_exists') }` in a route's `response`: one entry per status. */
export function documentedProblems(...codes: readonly ProblemCode[]): Record<number, ProblemResponse> {
  const byStatus = Object.groupBy(codes, (code) => problemCatalogue[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problemCatalogue[code].meaning}`).join(' '),
        content: { [PROBLEM_TYPE]: { schema: Type.Ref('Problem') } },
      },
    ]),
  );
}
