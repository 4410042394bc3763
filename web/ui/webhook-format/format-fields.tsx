// The fields of a partner's own webhook format: request, body and the rules that read the response.
import { Fieldset, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { WebhookResponse } from '../../../src/scopes/webhook-trial.schema.ts';
import type { BodyType, FaultOf, WebhookFormat } from './format-form.ts';
import { NamedTemplates } from './named-templates.tsx';
import { RuleRows } from './rule-rows.tsx';
import { TemplateArea } from './template-area.tsx';

const METHODS: ReadonlyArray<WebhookFormat['method']> = ['POST', 'PUT', 'PATCH', 'GET'];
const BODY_TYPES: ReadonlyArray<{ readonly value: BodyType | 'none'; readonly label: string }> = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
  { value: 'xml', label: 'XML' },
  { value: 'text', label: 'Text' },
  { value: 'none', label: 'None' },
];

const BODY_NOTES: Readonly<Record<BodyType, string>> = {
  json: 'JSON whose texts hold expressions. A text that is exactly one expression keeps the type of its value.',
  form: 'Fields as name={{ lead.phone }}, joined with &. Values are escaped; line breaks between fields are not sent.',
  xml: 'Values are escaped as XML text.',
  text: 'Values are inserted as they are.',
};

/** Keyed by the draft's generation: rows have a state of their own. */
export function FormatFields({
  format,
  onChange,
  faultOf,
  isReadOnly = false,
  responses,
}: {
  readonly format: WebhookFormat;
  readonly onChange: (format: WebhookFormat) => void;
  readonly faultOf: FaultOf;
  readonly isReadOnly?: boolean;
  /** The latest ones, to show beside the rules that read them. */
  readonly responses: readonly WebhookResponse[];
}): ReactNode {
  const { method, headers, query, body, response } = format;
  const set = (part: Partial<WebhookFormat>): void => onChange({ ...format, ...part });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        An expression such as {'{{ lead.phone | phone: "dashes" }}'} names a value and passes it through transforms. A
        secret is named {'{{ secret.api_token }}'}.
      </Text>
      <Group>
        <Select
          label="Method"
          data={[...METHODS]}
          value={method}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={faultOf('method') ?? null}
          onChange={(next) => {
            if (next !== null) set({ method: next });
          }}
          w={140}
        />
      </Group>
      <NamedTemplates
        legend="Headers"
        one="header"
        value={headers}
        onChange={(next) => set({ headers: next })}
        error={faultOf('headers')}
        isReadOnly={isReadOnly}
      />
      <NamedTemplates
        legend="Query"
        one="parameter"
        value={query}
        onChange={(next) => set({ query: next })}
        error={faultOf('query')}
        isReadOnly={isReadOnly}
      />
      <Fieldset legend="Body">
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Type of the body"
            data={[...BODY_TYPES]}
            value={body?.type ?? 'none'}
            readOnly={isReadOnly}
            onChange={(type) => set({ body: type === 'none' ? null : { type, template: body?.template ?? '' } })}
            style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
          />
          {body !== null && (
            <TemplateArea
              label="Template"
              description={BODY_NOTES[body.type]}
              value={body.template}
              onChange={(template) => set({ body: { ...body, template } })}
              error={faultOf('body')}
              isReadOnly={isReadOnly}
            />
          )}
        </Stack>
      </Fieldset>
      <Fieldset legend="Response">
        <RuleRows
          rules={response.rules}
          onChange={(rules) => set({ response: { rules } })}
          faultOf={faultOf}
          isReadOnly={isReadOnly}
          responses={responses}
        />
      </Fieldset>
    </Stack>
  );
}
