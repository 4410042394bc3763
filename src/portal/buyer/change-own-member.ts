// Changes one member of the partner's configuration, as a configuration change with the partner as its author.
import type { FastifyRequest } from 'fastify';

import { partnerAuthor } from '../../audit/request-author.ts';
import type { JsonValue } from '../../base/json.ts';
import { typeId } from '../../base/ids.ts';
import { lockConfigVersion } from '../../marketplace/config-version.ts';
import { changeConfiguration } from '../../marketplace-file/change-configuration.ts';
import { readInput } from '../../marketplace-file/read-input.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { AllowedTargets } from '../../platform/outbound/target.rules.ts';

export type OwnMemberDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly allowTargets: AllowedTargets;
  /** Applies the change in this process at once; the other processes apply it within a second. */
  readonly refresh: () => Promise<unknown>;
};

export type OwnMemberChange = {
  /** As in the marketplace file. */
  readonly member: 'webhook' | 'channels';
  readonly value: JsonValue;
  /** Called while the configuration is locked: the operator may have withdrawn a permission since the request was admitted. */
  readonly check: (tx: Tx) => Promise<Refusal | null>;
};

/** Returns null once the change is stored. */
export async function changeOwnMember(
  request: FastifyRequest,
  { member, value, check }: OwnMemberChange,
  { database, clock, allowTargets, refresh }: OwnMemberDependencies,
): Promise<Refusal | null> {
  const { ownerKey, credentialId } = principalOf(request);
  const fragment = { partners: [{ key: ownerKey, [member]: value }] };
  const refusal = await database.tx(async (tx): Promise<Refusal | null> => {
    await lockConfigVersion(tx);
    const refused = await check(tx);
    if (refused !== null) return refused;
    const read = await readInput(tx, { fragment, isNew: false }, { allowTargets });
    if (!read.ok) return invalid(member, read.faults);
    const { file, things } = read;
    const change = {
      ...{ file, things, seen: null, dryRun: false, prune: false },
      ...partnerAuthor(request, 'buyer', typeId('token', credentialId)),
    };
    const changed = await changeConfiguration(tx, change, clock.now());
    if (changed.ok) return null;
    return changed.code === 'faulty' ? invalid(member, changed.faults) : { status: 409, code: changed.code };
  });
  if (refusal !== null) return refusal;
  await refresh().catch((error: unknown) =>
    request.log.warn({ err: error }, 'refreshing the configuration failed; it is retried within a second'),
  );
  return null;
}

function invalid(
  member: OwnMemberChange['member'],
  faults: ReadonlyArray<{ readonly path: string; readonly message: string }>,
): Refusal {
  const prefix = `partners[0].${member}`;
  const errors = faults.map(({ path, message }) => ({
    field: path.startsWith(prefix) ? path.slice(prefix.length + 1) : path,
    code: 'invalid',
    message,
  }));
  return { status: 422, code: 'validation_failed', errors };
}
