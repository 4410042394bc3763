// Schema of a partner's own webhook format in the marketplace file: the request's templates and the rules that read its response
// (contract 13.1, 13.2).
import { Type } from 'typebox';

import { line, listOf, type MemberCheck, members, oneOf, orUnset } from '../marketplace/configured.schema.ts';

const webhookMethods = ['POST', 'PUT', 'PATCH', 'GET'] as const;
const bodyTypes = ['json', 'form', 'xml', 'text'] as const;
const responseOutcomes = ['accepted', 'duplicate', 'rejected', 'retry'] as const;

export const HEADERS_MAX = 30;
export const PARAMETERS_MAX = 100;
const TEMPLATE_LENGTH_MAX = 32_768;
const RULES_MAX = 30;
const TEST_LENGTH_MAX = 200;

/** Names with their templates, in the order of the names. */
const templatesOf = (title: string, description: string) =>
  Type.Record(Type.String(), Type.String(), { title, description, default: {} });

const unsetLine = (title: string, description?: string) =>
  orUnset(line({ maxLength: TEST_LENGTH_MAX }), { title, ...(description === undefined ? {} : { description }) });

/** What a text must be; every test that is given must hold. */
const textTests = {
  equals: orUnset(Type.Union([Type.String({ maxLength: TEST_LENGTH_MAX }), Type.Number(), Type.Boolean()]), {
    title: 'Equals',
  }),
  contains: unsetLine('Contains'),
  pattern: unsetLine('Pattern', 'A regular expression in RE2 syntax.'),
};

const jsonPath = { title: 'JSON path', description: 'Such as lead.id or errors[0].code.' };

/** Where a value is taken from: exactly one of the members is given. */
const capture = (title: string) =>
  orUnset(
    members({
      json: unsetLine(jsonPath.title, jsonPath.description),
      header: unsetLine('Header'),
      pattern: unsetLine('Pattern', 'Its first group is taken from the text of the body.'),
      text: unsetLine('Text'),
    }),
    { title },
  );

const RuleSchema = members({
  when: members(
    {
      status: Type.Array(
        Type.Union([
          Type.Integer({ minimum: 100, maximum: 599 }),
          Type.String({ pattern: '^[1-5]xx$', errorMessage: 'must be a status such as 201, or 2xx' }),
        ]),
        { uniqueItems: true, single: true, default: [], title: 'Status' },
      ),
      header: orUnset(members({ name: line({ title: 'Name', maxLength: 100 }), ...textTests }), { title: 'Header' }),
      json: orUnset(
        members({
          path: line({ ...jsonPath, maxLength: TEST_LENGTH_MAX }),
          ...textTests,
          exists: Type.Boolean({ title: 'Exists', default: false }),
          missing: Type.Boolean({ title: 'Is missing', default: false }),
        }),
        { title: 'JSON' },
      ),
      text: orUnset(members(textTests), { title: 'Text of the body' }),
    },
    {
      title: 'When',
      description: 'Everything given must hold; a rule without conditions always matches.',
      default: {},
    },
  ),
  outcome: oneOf(responseOutcomes, { title: 'Outcome' }),
  reason: capture('Reason'),
  reference: capture('Reference of the partner'),
  price: capture('Price'),
});

export const WebhookFormatSchema = members(
  {
    format: oneOf(['standard', 'custom'], {
      title: 'Format',
      description: 'Standard is a signed message; custom is the request described here.',
      default: 'standard',
    }),
    method: oneOf(webhookMethods, { title: 'Method', default: 'POST' }),
    headers: templatesOf('Headers', 'Names of headers with the templates of their values.'),
    query: templatesOf('Query', 'Parameters that are added to the URL, with the templates of their values.'),
    body: orUnset(
      members({
        type: oneOf(bodyTypes, { title: 'Type', description: 'Decides how values are escaped.' }),
        template: Type.String({ minLength: 1, maxLength: TEMPLATE_LENGTH_MAX, title: 'Template' }),
      }),
      { title: 'Body' },
    ),
    response: members(
      {
        rules: listOf(RuleSchema, {
          title: 'Rules',
          description:
            'The first rule that matches a response decides. Without rules the status does, as for the standard format.',
          maxItems: RULES_MAX,
          default: [],
        }),
      },
      { title: 'Response', default: {} },
    ),
  },
  { check: 'webhookFormat' satisfies MemberCheck },
);
