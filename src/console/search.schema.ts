// The search over everything in the operator's console: a few matches of each kind.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';
import { LeadsSchema } from './leads.schema.ts';

const Text = Type.String();
const { leadId, externalId, supplierName, state, name } = LeadsSchema.properties.data.items.properties;

export const MatchesSchema = Type.Object({
  /** Newest first. */
  leads: Type.Array(Type.Object({ leadId, externalId, supplierName, state, name })),
  partners: Type.Array(Type.Object({ partner: Text, partnerName: Text })),
  suppliers: Type.Array(Type.Object({ supplier: Text, supplierName: Text })),
  offers: Type.Array(Type.Object({ offer: Text, offerName: Text, partner: Text, partnerName: Text })),
  /** The claim of this id, or those on the leads found. */
  claims: Type.Array(
    Type.Object({ claimId: Text, kind: Type.Enum(['return', 'dispute']), status: Text, partnerName: Text }),
  ),
  /** The invoice of this number or id. */
  invoices: Type.Array(Type.Object({ number: Text, month: Text, status: Text, partnerName: Text })),
  /** `ids_only`: the operator's role may not search by contact data. `too_short`: longer text would find leads by contact data. */
  note: orNull(Type.Enum(['too_short', 'too_many', 'ids_only'])),
});
export type Matches = Static<typeof MatchesSchema>;
