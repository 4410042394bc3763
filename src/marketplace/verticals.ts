// A vertical: a kind of leads with fields of its own, which suppliers post into and offers buy from (contract 7.6).
import type { DeepReadonly } from '../base/json.ts';
import type { OwnFieldForm, VerticalForm } from './vertical.schema.ts';

type Form = DeepReadonly<VerticalForm>;

/** The members of `vertical.schema.ts`; bounds as in the file, which are wire values. */
export type OwnField = DeepReadonly<OwnFieldForm>;

export type Vertical = Omit<Form, 'fields'> & { readonly fields: readonly OwnField[] };
