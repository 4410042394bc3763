import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type DeliveryId, type LeadId, newUuid, typeId, uuidOf } from './ids.ts';

describe('ids in their text form', () => {
  // From the examples that the TypeID specification publishes.
  it.each([
    ['00000000-0000-0000-0000-000000000000', 'lead_00000000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', 'lead_00000000000000000000000001'],
    ['00000000-0000-0000-0000-00000000000a', 'lead_0000000000000000000000000a'],
    ['00000000-0000-0000-0000-000000000020', 'lead_00000000000000000000000010'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'lead_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['0110c853-1d09-52d8-d73e-1194e95b5f19', 'lead_0123456789abcdefghjkmnpqrs'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', 'lead_01h455vb4pex5vsknk084sn02q'],
  ])('turn the UUID %s into %s and back', (uuid, id) => {
    expect(typeId('lead', uuid as LeadId)).toBe(id);
    expect(uuidOf('lead', id)).toBe(uuid);
  });

  it('turn back into every UUID and keep the order of UUIDs', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        expect(uuidOf('delivery', typeId('delivery', one as DeliveryId))).toBe(one);
        expect(typeId('lead', one as LeadId) < typeId('lead', other as LeadId)).toBe(one < other);
      }),
    );
  });

  it('are rejected with another kind, length, case or alphabet', () => {
    const id = typeId('lead', newUuid());
    const others = [
      `dlv_${id.slice(5)}`,
      id.slice(0, -1),
      `${id}0`,
      id.toUpperCase(),
      `${id.slice(0, -1)}u`,
      `lead_8${id.slice(6)}`,
    ];
    for (const text of others) expect(uuidOf('lead', text)).toBeNull();
  });

  it('are UUIDs of version 7 that strictly increase', () => {
    const ids = Array.from({ length: 10_000 }, newUuid);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
