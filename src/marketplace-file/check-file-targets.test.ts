import { describe, expect, it } from 'vitest';

import { defaultSettings } from '../marketplace/settings.ts';
import { checkFileTargets } from './check-file-targets.ts';
import type { Configuration } from './difference.rules.ts';
import { parseFile } from './parse-file.ts';

const emptyConfiguration: Configuration = {
  settings: defaultSettings,
  verticals: new Map(),
  suppliers: new Map(),
  buyers: new Map(),
  fileSettings: new Map(),
  offers: new Map(),
};
const text = [
  'suppliers:',
  '  - { key: acme, callback: { url: "https://inside.example/a" } }',
  '  - { key: other, callback: { url: "https://outside.example/" } }',
  'partners:',
  '  - { key: summit, settings: { webhookUrl: "https://inside.example/b", sheetsWebhookUrl: "https://nowhere.example/" } }',
].join('\n');

describe('checkFileTargets', () => {
  it('rejects a host with a private address wherever the file names it, with one look-up', async () => {
    const parsed = parseFile(text, { allowTargets: [] });
    if (!parsed.ok) throw new Error('the file has a fault');
    const asked: string[] = [];
    const faults = await checkFileTargets(parsed.file, emptyConfiguration, {
      allowTargets: [],
      async resolve(hostname) {
        asked.push(hostname);
        if (hostname === 'nowhere.example') throw new Error('ENOTFOUND');
        return hostname === 'inside.example' ? ['93.184.215.14', '10.0.0.7'] : ['93.184.215.14'];
      },
    });
    expect(asked.toSorted()).toEqual(['inside.example', 'nowhere.example', 'outside.example']);
    expect(faults.map(({ line, column, path }) => `${line}:${column} ${path}`)).toEqual([
      '2:35 suppliers[0].callback.url',
      '5:44 partners[0].settings.webhookUrl',
    ]);
  });

  it('does not look up a URL that is already configured', async () => {
    const parsed = parseFile(text, { allowTargets: [] });
    if (!parsed.ok) throw new Error('the file has a fault');
    const suppliers = new Map(parsed.file.suppliers.map((supplier) => [supplier.supplierKey, supplier]));
    const asked: string[] = [];
    const resolve = async (hostname: string): Promise<string[]> => {
      asked.push(hostname);
      return ['93.184.215.14'];
    };
    expect(
      await checkFileTargets(parsed.file, { ...emptyConfiguration, suppliers }, { allowTargets: [], resolve }),
    ).toEqual([]);
    expect(asked.toSorted()).toEqual(['inside.example', 'nowhere.example']);
  });
});
