// The format of a partner's webhook: the form with its difference and dry run, secrets, and trying it out.
import type { ReactNode } from 'react';

import type { ShownPartner } from '../../../src/console/partners.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { FormatEditor } from '../../ui/webhook-format/format-editor.tsx';
import type { WebhookFormat } from '../../ui/webhook-format/format-form.ts';
import { useMay } from '../allowed.tsx';
import { useDraft } from '../configuration/draft.ts';
import { EditFrame } from '../configuration/edit-frame.tsx';
import type { TriedChange } from '../simulations/simulation-queries.tsx';

type FormatForm = { readonly webhook: WebhookFormat | null };

export function WebhookTab({
  response: { partner, version },
  tried,
}: {
  readonly response: ShownPartner;
  readonly tried: TriedChange | null;
}): ReactNode {
  const may = useMay('configure');
  const overlay = tried?.fragment?.partners?.[0] as Partial<FormatForm> | undefined;
  const draft = useDraft<FormatForm>(
    { webhook: partner.webhook },
    version,
    overlay?.webhook === undefined ? {} : { webhook: overlay.webhook },
  );
  const { webhook } = draft.values;
  return (
    <EditFrame
      draft={draft}
      input={{ fragment: { partners: [{ key: partner.key, webhook }] } }}
      root="partners[0]"
      label="Format of the webhook"
    >
      {(faults) => (
        <Section title="Format">
          <FormatEditor
            key={draft.generation}
            format={webhook}
            onChange={(next) => draft.set('webhook', next)}
            faultOf={(path) => faults.of(`webhook.${path}`)}
            isReadOnly={!may}
          />
        </Section>
      )}
    </EditFrame>
  );
}
