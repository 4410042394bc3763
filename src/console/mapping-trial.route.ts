// POST /console/api/mapping-trial: reads a sample with a field mapping as a posted lead would be read, and suggests what the mapping lacks.
// Nothing is stored.
import { isMembers, type Members } from '../base/json.ts';
import type { Regions } from '../base/regions.ts';
import { prepareSubmission } from '../leads/ingest-lead.ts';
import { readFields } from '../leads/read-fields.rules.ts';
import { readSubmission } from '../leads/submission-reading.rules.ts';
import { verticalsOf } from '../leads/supplier-verticals.rules.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { Clock } from '../platform/clock.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { checkFieldMapping, compileFieldMapping, type FieldMapping } from '../suppliers/field-mapping.rules.ts';
import { suggestMapping } from '../suppliers/suggest-mapping.rules.ts';
import {
  type MappingTrial,
  MappingTrialBody,
  type MappingTrialInput,
  MappingTrialSchema,
  SAMPLE_BYTES,
} from './mapping-trial.schema.ts';

export type MappingTrialDependencies = {
  readonly clock: Clock;
  readonly regions: () => Regions;
  readonly scoreWeights: () => ScoreWeights;
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

/** Escaped in JSON a sample is up to six times as long; the mapping comes on top. */
const BODY_BYTES = 8 * SAMPLE_BYTES;

export function registerMappingTrial(scope: App, dependencies: MappingTrialDependencies): void {
  scope.post(
    '/api/mapping-trial',
    {
      config: { permission: 'configure' },
      bodyLimit: BODY_BYTES,
      schema: { body: MappingTrialBody, response: { 200: MappingTrialSchema } },
    },
    async (request, reply) => {
      const { sample, mapping } = request.body;
      const members = membersOf(sample);
      if (members === null) {
        const errors = [{ field: 'sample', code: 'invalid_format', message: 'must be one JSON object' }];
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const ownNames = ownNamesOf(request.body, dependencies);
      const checked = checkFieldMapping(mapping, new Set(ownNames));
      if (!checked.ok) {
        const errors = checked.faults.map(({ path, message }) => ({
          ...{ field: `mapping${path}`, code: 'invalid', message },
        }));
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      return reply.send(trialOf(request.body, { members, mapping: checked.mapping, ownNames }, dependencies));
    },
  );
}

type Sample = { readonly members: Members; readonly mapping: FieldMapping; readonly ownNames: readonly string[] };

function trialOf(
  input: MappingTrialInput,
  { members, mapping, ownNames }: Sample,
  { clock, regions, scoreWeights, verticals }: MappingTrialDependencies,
): MappingTrial {
  const compiled = compileFieldMapping(mapping);
  const submission = prepareSubmission(
    { members, text: input.sample },
    {
      ...{ supplierKey: '', mapping: compiled, regions: regions(), weights: scoreWeights(), returnRate: 0 },
      verticals: verticalsOf(input, verticals()),
    },
    clock.now(),
  );
  const { fields, externalId, isTest, reason, score } = submission;
  const reading = readSubmission(
    {
      ...{ rawBody: input.sample, externalId, isTest, refusal: reason },
      fields: fields === null ? null : readFields(fields, null),
    },
    compiled,
  );
  return {
    ...{ isAccepted: reason === null, reason, score, reading },
    suggested: suggestMapping(members, { mapping, ownNames }),
  };
}

function ownNamesOf(input: MappingTrialInput, { verticals }: MappingTrialDependencies): string[] {
  const own = verticalsOf(input, verticals());
  if (own === null) return [];
  return ['vertical', ...[...own.open.values()].flatMap(({ fields }) => fields.map(({ name }) => name))];
}

function membersOf(sample: string): Members | null {
  try {
    const body: unknown = JSON.parse(sample);
    return isMembers(body) ? body : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
