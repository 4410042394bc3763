// Turns each example format in examples/deliveries into a module of the pages: the partner's webhook, and the words on what to fill in.
import { readFileSync } from 'node:fs';

import type { Plugin } from 'vite';
import { parse } from 'yaml';

const PRESET = /[\\/]examples[\\/]deliveries[\\/][\w-]+\.yaml$/;

type File = { readonly partners: ReadonlyArray<{ readonly webhook: unknown }> };

export function presetsPlugin(): Plugin {
  return {
    name: 'presets',
    load(id) {
      if (!PRESET.test(id)) return null;
      const text = readFileSync(id, 'utf8');
      const [partner] = (parse(text) as File).partners;
      return `export default ${JSON.stringify({ about: aboutOf(text), webhook: partner?.webhook })};`;
    },
  };
}

/** The paragraphs of the comment at the top without commands, which are for the command line. */
function aboutOf(text: string): string {
  const [comment = ''] = text.split(/\n(?!#)/, 1);
  const lines = comment.split('\n').map((line) => line.replace(/^# ?/, ''));
  return lines
    .filter((line) => !line.startsWith(' ') && !line.startsWith('yaml-language-server'))
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n');
}
