// Formats to start from: the examples in examples/deliveries, read when the pages are built.
import { completeFormat, type StatedFormat, type WebhookFormat } from './format-form.ts';

/** What web/presets-plugin.ts makes of each file. */
type PresetFile = { readonly about: string; readonly webhook: StatedFormat };

export type Preset = {
  /** The name of the file: `hubspot-form`. */
  readonly name: string;
  readonly label: string;
  /** What has to be filled in, in the words of the file. */
  readonly about: string;
  readonly webhook: WebhookFormat;
};

const LABELS: Readonly<Record<string, string>> = {
  'generic-json': 'JSON with a token',
  'generic-form': 'Form with a text response',
  'hubspot-form': 'HubSpot form',
  'salesforce-web-to-lead': 'Salesforce Web-to-Lead',
  'zapier-or-make-hook': 'Zapier or Make hook',
  'leadconduit-style': 'LeadConduit-style response',
};

const files = import.meta.glob<PresetFile>('../../../examples/deliveries/*.yaml', { eager: true, import: 'default' });

export const PRESETS: readonly Preset[] = Object.keys(LABELS).flatMap((name) => {
  const file = files[`../../../examples/deliveries/${name}.yaml`];
  return file === undefined
    ? []
    : [{ name, label: LABELS[name] ?? name, about: file.about, webhook: completeFormat(file.webhook) }];
});
