// Reads labels, descriptions, defaults, bounds and choices of the forms from the published schema of the marketplace file.
import file from '../../../docs/marketplace-file.schema.json' with { type: 'json' };
import type { Kind } from '../../../src/console/changes.schema.ts';
import type { MarketplaceForm, OfferForm, PartnerForm, SupplierForm, VerticalForm } from './configuration-api.ts';

export type Forms = {
  readonly marketplace: MarketplaceForm;
  readonly vertical: VerticalForm;
  readonly supplier: SupplierForm;
  readonly partner: PartnerForm;
  readonly offer: OfferForm;
};

/** The paths of a form's members, such as `caps.daily`. */
export type PathIn<Form> = Form extends readonly unknown[]
  ? never
  : Form extends object
    ? { [Name in keyof Form & string]: Name | `${Name}.${PathIn<Form[Name]>}` }[keyof Form & string]
    : never;

export type Member = {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly items?: Member;
  readonly properties?: Readonly<Record<string, Member>>;
  readonly anyOf?: readonly Member[];
};

const FILE = file as Member;

const THINGS: Readonly<Record<Kind, Member>> = {
  marketplace: within(FILE, 'marketplace'),
  vertical: entryOf(within(FILE, 'verticals')),
  supplier: entryOf(within(FILE, 'suppliers')),
  partner: entryOf(within(FILE, 'partners')),
  offer: entryOf(within(entryOf(within(FILE, 'partners')), 'offers')),
};

export function memberOf<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): Member {
  return path.split('.').reduce(within, THINGS[kind]);
}

/** The members of an object in the order of the file; none for a list, even if a single entry may stand in for it. */
export function membersIn(member: Member): Readonly<Record<string, Member>> {
  const all = branches(member);
  if (all.some(({ items }) => items !== undefined)) return {};
  return all.find(({ properties }) => properties !== undefined)?.properties ?? {};
}

/** The members of a vertical, supplier, partner, offer or the marketplace. A partner's offers are not among them: they have their own form. */
export function membersOf(kind: Kind): Readonly<Record<string, Member>> {
  const { offers: _offers, ...members } = membersIn(THINGS[kind]);
  return members;
}

/** The members of an entry of a list. */
export function membersOfEntry<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): Readonly<Record<string, Member>> {
  return membersIn(entryOf(memberOf(kind, path)));
}

/** The bounds of a number, which may be left unset. */
export function boundsOf<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): Pick<Member, 'minimum' | 'maximum'> {
  return branches(memberOf(kind, path)).find(({ minimum }) => minimum !== undefined) ?? {};
}

/** The values that a member may have, or each entry of its list. */
export function valuesOf<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): readonly string[] {
  return valuesIn(memberOf(kind, path));
}

export function valuesIn(member: Member): readonly string[] {
  const all = branches(member);
  const found = all.find((branch) => branch.enum !== undefined) ?? entryOf(all.find(({ items }) => items) ?? {});
  return found.enum ?? [];
}

/** The defaults of a new item; null where the file must state a value. */
export function defaultsOf(members: Readonly<Record<string, Member>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, defaultOf(member)]));
}

function defaultOf(member: Member): unknown {
  const { default: byDefault } = member;
  const isStated = byDefault !== undefined && JSON.stringify(byDefault) !== '{}';
  if (isStated) return byDefault;
  const members = membersIn(member);
  if (Object.keys(members).length > 0) return defaultsOf(members);
  return byDefault ?? (branches(member).some(({ type }) => type === 'array') ? [] : null);
}

function within(member: Member, name: string): Member {
  return membersIn(member)[name] ?? {};
}

function entryOf(member: Member): Member {
  return branches(member).find(({ items }) => items !== undefined)?.items ?? {};
}

/** The member itself and its `anyOf` alternatives. */
function branches(member: Member): readonly Member[] {
  return [member, ...(member.anyOf ?? []).flatMap(branches)];
}
