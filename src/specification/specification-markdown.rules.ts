// Writes the posting specification as a Markdown file, for a developer without an account.
import type { ResponseGuide } from './response-guides.ts';
import type { SampleCode } from './sample-code.rules.ts';
import type { SpecifiedField, Specification } from './make-specification.ts';

export function specificationMarkdown(spec: Specification): string {
  const sections = [
    ...requestPart(spec),
    ...fieldsPart(spec),
    ...verticalsPart(spec),
    ...examplePart(spec),
    ...responsesPart(spec),
    '## The same lead again',
    list(spec.repeating),
    ...callbacksPart(spec),
  ];
  const parts = [
    `# Posting leads to ${oneLine(spec.marketplace)}`,
    `For ${oneLine(spec.name)} (\`${spec.supplierKey}\`), as of ${spec.generatedAt.slice(0, 10)}. There is no key in this document: ask for one where you got it.`,
    contentsOf(sections),
    ...sections,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A link to each heading, as viewers of Markdown name them. */
function contentsOf(sections: readonly string[]): string {
  const titles = sections.filter((text) => text.startsWith('## ')).map((text) => text.slice('## '.length));
  return list(
    titles.map(
      (title) =>
        `[${title}](#${title
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-')})`,
    ),
  );
}

function requestPart({ url, headers, rateLimit, bodyLimitKib, status }: Specification): string[] {
  return [
    '## The request',
    fenced('http', `POST ${url}`),
    table(
      ['Header', 'Value', 'What it is'],
      headers.map(({ name, value, meaning }) => [code(name), code(value), meaning]),
    ),
    list([
      `The body is one JSON object of at most ${bodyLimitKib} KiB.`,
      `At most ${rateLimit.perSecond} requests a second, ${rateLimit.burst} at once. Every answer says in RateLimit-Remaining how many are left.`,
      'Allow 30 seconds for an answer. After a timeout it is not known whether the lead was taken: post it again as it was.',
      ...(status === 'approved'
        ? []
        : [
            `This supplier is ${status === 'pending' ? 'not approved yet' : 'suspended'}: for as long as it is, every post is answered 403 supplier_not_approved.`,
          ]),
    ]),
  ];
}

function fieldsPart({ fields, needed, isMapped }: Specification): string[] {
  const constants = fields.filter(({ constant }) => constant !== null);
  return [
    '## The fields',
    `Every lead needs these; everything else may be left out, and null or blank text counts as left out:`,
    list(needed),
    ...(isMapped
      ? [
          'Send your own names: they are read as the fields beside them. A full stop in a name leads into a nested object; `a.0` is the first item of a list. Of several names the first that holds something counts.',
        ]
      : []),
    fieldTable(fields),
    ...(constants.length === 0
      ? []
      : [
          'These fields have fixed values, which replace what you send:',
          list(constants.map(({ field, constant }) => `${code(field)} is ${code(JSON.stringify(constant))}`)),
        ]),
    'An error in a field is reported as `FIELD invalid` or `FIELD too long`, with the name in the second column. Other members are stored with the lead and not used.',
  ];
}

function fieldTable(fields: readonly SpecifiedField[]): string {
  return table(
    ['You send', 'It is read as', 'Type', 'At most', 'How', 'Example'],
    fields
      .filter(({ names }) => names.length > 0)
      .map(({ names, field, type, lengthMax, meaning, format, sample }) => [
        names.map(({ name }) => code(name)).join(', '),
        code(field),
        type,
        lengthMax === null ? '' : `${lengthMax} characters`,
        [meaning, ...howToSend(names, format)].join(' '),
        sample === null ? 'no value passes the checks this way: ask the operator' : code(sample),
      ]),
  );
}

/** The fields of each vertical; the example below is of the default one. */
function verticalsPart({ verticals }: Specification): string[] {
  return verticals.flatMap(({ key, name, isDefault, fields, example }) => [
    `## Leads of the vertical ${oneLine(name)}`,
    isDefault
      ? `Your leads are of this vertical (${code(key)}) unless they name another one in ${code('vertical')}.`
      : `A lead of this vertical names it: ${code('vertical')} is ${code(JSON.stringify(key))}.`,
    ...(fields.length === 0 ? ['It has no fields of its own.'] : [fieldTable(fields)]),
    ...(isDefault || example === null ? [] : [fenced('json', example.body)]),
  ]);
}

/** With a treatment of the value, the field's own format is only one way to write it. */
function howToSend(names: Specification['fields'][number]['names'], format: string | null): string[] {
  const treatments = names.flatMap(({ treatment }) => treatment ?? []);
  if (format === null) return treatments;
  return treatments.length === 0 ? [format] : [...treatments, `Or as the field itself: ${format}`];
}

function examplePart({ example, samples, isMapped }: Specification): string[] {
  if (example === null) {
    return [
      '## An example',
      'With the field mapping as it is, no lead can pass its checks. Ask the operator to put the mapping right.',
    ];
  }
  return [
    '## An example',
    [
      isMapped ? 'A lead in your own shape' : 'A lead',
      example.isTest
        ? ', marked as a test: it is checked and scored, its routing is simulated, and nothing is sold. Take the mark out when you go live.'
        : '. It is no test: your mapping leaves no way to mark one.',
    ].join(''),
    fenced('json', example.body),
    ...samples.flatMap(samplePart),
  ];
}

function samplePart({ label, language, code: text }: SampleCode): string[] {
  return [`### ${label}`, fenced(language, text.trimEnd())];
}

function responsesPart({ responses }: Specification): string[] {
  return [
    '## Every answer',
    'Decide by the status, and by `code` where there is one: it never changes its meaning. `processingTime` is in milliseconds.',
    table(
      ['Status', 'Code', 'When', 'What to do', 'Send the same again'],
      responses.map(({ status, code: name, when, whatToDo, repeat }) => [
        String(status),
        name === null ? '' : code(name),
        when,
        whatToDo,
        repeat,
      ]),
    ),
    ...responses.flatMap(responsePart),
    'Anywhere there may also be 400 `bad_request`, 408 `request_timeout` and 431 `headers_too_large`, which say that the request was not well-formed HTTP.',
  ];
}

function responsePart({ status, code: name, headers, body }: ResponseGuide): string[] {
  const head = [`HTTP ${status}`, ...headers.map((header) => `${header.name}: ${header.value}`)];
  return [
    `### ${[status, name ?? (status === 202 ? (headers.length > 0 ? 'accepted before' : 'accepted') : 'refused')].join(' ')}`,
    fenced('http', `${head.join('\n')}\n\n${JSON.stringify(body, null, 2)}`),
  ];
}

function callbacksPart({ callbacks: { url, events, rules, samples } }: Specification): string[] {
  return [
    '## Callbacks',
    url === null
      ? 'No callback is set up. Ask the operator to set one up if you want to be told what became of your leads.'
      : `Sent to ${code(url)}. The secret for the signatures comes from the operator.`,
    table(
      ['Type', 'When', 'Sent to you'],
      events.map(({ type, meaning, isSent }) => [code(type), meaning, isSent ? 'yes' : 'no']),
    ),
    list(rules),
    fenced('json', (events.find(({ isSent }) => isSent) ?? events[0])?.example ?? ''),
    '`status` is the public status of the lead, `reason` why it was rejected or returned. Who bought a lead, and for how much, is never told.',
    ...samples.flatMap(samplePart),
  ];
}

/** A fence longer than any within the text. */
function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Inline code with as many backticks as needed. */
function code(text: string): string {
  const ticks = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([found]) => found.length)));
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}
