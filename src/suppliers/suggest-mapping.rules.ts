// Suggests which lead fields the members of a supplier's sample stand for, by their names and values (contract 3.7).
import { parseInstant } from '../base/rfc3339.ts';
import { regionCode } from '../base/regions.ts';
import { isMembers, type Members } from '../base/json.ts';
import { checkFieldMapping, type FieldMapping, type StandardName } from './field-mapping.rules.ts';
import { transforms, type TransformName } from './field-transforms.rules.ts';

/** Names as forms and lead sellers use them, in lower case and without separators; earlier fields win. */
const ALIASES: ReadonlyArray<readonly [StandardName, readonly string[]]> = [
  ['external_id', ['externalid', 'leadid', 'id', 'refid', 'referenceid', 'reference', 'transactionid', 'uuid', 'uid']],
  ['full_name', ['fullname', 'name', 'contactname', 'leadname', 'customername']],
  ['first_name', ['firstname', 'fname', 'first', 'givenname']],
  ['last_name', ['lastname', 'lname', 'last', 'surname', 'familyname']],
  ['email', ['email', 'emailaddress', 'mail', 'contactemail']],
  [
    'phone',
    [
      ...['phone', 'phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'telephone', 'tel'],
      ...['primaryphone', 'homephone', 'dayphone', 'phone1', 'contactphone', 'phonehome'],
    ],
  ],
  ['business_name', ['businessname', 'company', 'companyname', 'business', 'organization']],
  ['state', ['state', 'statecode', 'stateabbr', 'usstate', 'region', 'province', 'st']],
  [
    'debt_amount',
    ['debtamount', 'debt', 'totaldebt', 'debttotal', 'unsecureddebt', 'amountofdebt', 'debtload', 'creditcarddebt'],
  ],
  [
    'consent_timestamp',
    [
      ...[
        'consenttimestamp',
        'consenttime',
        'consentdate',
        'consentat',
        'consentedat',
        'optindate',
        'optintime',
        'optinat',
      ],
      ...['timestamp', 'ts', 'submittedat', 'datesubmitted', 'createdat', 'created', 'date', 'datetime', 'capturedat'],
    ],
  ],
  [
    'source_form_url',
    [
      'sourceformurl',
      'formurl',
      'landingpage',
      'landingpageurl',
      'landingurl',
      'pageurl',
      'sourceurl',
      'url',
      'website',
    ],
  ],
  ['tcpa_consent', ['tcpaconsent', 'tcpa', 'consent', 'optin', 'consentgiven', 'hasconsent']],
  ['consent_version', ['consentversion', 'tcpaversion', 'disclosureversion']],
  ['consent_text', ['consenttext', 'tcpatext', 'tcpalanguage', 'consentlanguage', 'disclosure', 'disclosuretext']],
  ['lead_ip', ['leadip', 'ip', 'ipaddress', 'userip', 'clientip', 'remoteip']],
  [
    'source',
    ['source', 'leadsource', 'sourceid', 'trafficsource', 'publisher', 'publisherid', 'affiliate', 'affid', 'subid'],
  ],
  ['utm_source', ['utmsource']],
  ['utm_medium', ['utmmedium']],
  ['utm_campaign', ['utmcampaign', 'campaign', 'campaignid']],
  ['utm_term', ['utmterm', 'keyword']],
  ['utm_content', ['utmcontent']],
  [
    'trustedform_cert_url',
    ['trustedformcerturl', 'trustedform', 'trustedformurl', 'xxtrustedformcerturl', 'trustedformcert', 'certurl'],
  ],
  ['jornaya_lead_id', ['jornayaleadid', 'jornaya', 'leadidtoken', 'universalleadid', 'jornayaid', 'leadidcode']],
  [
    'appointment_at',
    ['appointmentat', 'appointment', 'appointmenttime', 'appointmentdate', 'callbackat', 'callbacktime'],
  ],
  ['test', ['istest', 'testlead', 'testmode']],
];

/** A member of the sample that holds a value. `name` is as in a mapping. */
type Leaf = { readonly name: string; readonly path: readonly string[]; readonly value: string | number | boolean };

const DEPTH_MAX = 5;
const LEAVES_MAX = 300;

/**
 * A mapping for the members of the sample that the mapping at hand does not name: which fields they stand for, and the conversions that their values
 * need. Members whose names say nothing known are left out. `ownNames` are own fields of the supplier's verticals.
 */
export function suggestMapping(
  sample: Members,
  { mapping, ownNames }: { readonly mapping: FieldMapping; readonly ownNames: readonly string[] },
): FieldMapping {
  const leaves = leavesOf(sample).filter(
    ({ name }) => !Object.hasOwn(mapping, name) && checkFieldMapping({ [name]: 'email' }).ok,
  );
  const taken = new Set(
    Object.values(mapping).flatMap((entry) =>
      typeof entry === 'string'
        ? [entry]
        : 'to' in entry && typeof entry.to === 'string'
          ? [entry.to]
          : Object.keys(entry),
    ),
  );
  const suggested: Array<readonly [name: string, to: string, transform: TransformName | null]> = [];
  const claim = (leaf: Leaf, to: string): void => {
    taken.add(to);
    const transform = transformFor(to, leaf.value);
    // A member that has the name of its field already and needs no conversion needs no mapping.
    if (leaf.name !== to || transform !== null) suggested.push([leaf.name, to, transform]);
  };
  const rest = new Set(leaves);
  const fields = [...ALIASES, ...ownNames.map((name) => [name, [compact(name)]] as const)];
  // The very names first, so that no other member takes their field.
  for (const [to] of fields) {
    const own = leaves.find(({ name }) => name === to);
    if (own === undefined || taken.has(to)) continue;
    rest.delete(own);
    claim(own, to);
  }
  for (const [to, aliases] of fields) {
    if (taken.has(to)) continue;
    const found = findLeaf([...rest], aliases);
    if (found === null) continue;
    rest.delete(found);
    claim(found, to);
  }
  return Object.fromEntries(
    suggested.map(([name, to, transform]) => [name, transform === null ? to : { to, transform }] as const),
  );
}

/** The leaf whose name is the earliest alias: as a whole, then its last two parts, then its last part. */
function findLeaf(leaves: readonly Leaf[], aliases: readonly string[]): Leaf | null {
  for (const alias of aliases) {
    for (const parts of [DEPTH_MAX, 2, 1]) {
      const found = leaves.find(({ path }) => compact(path.slice(-parts).join('')) === alias);
      if (found !== undefined) return found;
    }
  }
  return null;
}

function compact(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function leavesOf(sample: Members): Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (leaves.length >= LEAVES_MAX) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (value !== '') leaves.push({ name: path.join('.'), path, value });
    } else if (path.length < DEPTH_MAX) {
      const entries = Array.isArray(value) && path.length > 0 ? entryLeaves(value, path) : null;
      if (entries !== null) {
        leaves.push(...entries);
        return;
      }
      const members = Array.isArray(value)
        ? value.map((one, at) => [String(at), one] as const)
        : isMembers(value)
          ? Object.entries(value)
          : [];
      for (const [name, below] of members) {
        // Below the top a dot in a name cannot be told from the dots of a path.
        if (name !== '' && !(path.length > 0 && name.includes('.'))) walk(below, [...path, name]);
      }
    }
  };
  walk(sample, []);
  return leaves;
}

/** Members by which forms and ad networks name the entries of a list of answers, and that hold the answer. */
const ENTRY_NAMES = ['name', 'key', 'field', 'question', 'label', 'id'];
const ENTRY_VALUES = ['value', 'values', 'answer'];

/** The leaves of a list such as `[{"name": "email", "values": ["…"]}]`, by the names of its entries; null for another list. */
function entryLeaves(entries: readonly unknown[], path: readonly string[]): Leaf[] | null {
  if (entries.length === 0 || !entries.every(isMembers)) return null;
  const by = ENTRY_NAMES.find((member) => entries.every((entry) => typeof entry[member] === 'string'));
  const holding = ENTRY_VALUES.find((member) => entries.every((entry) => Object.hasOwn(entry, member)));
  if (by === undefined || holding === undefined) return null;
  return entries.flatMap((entry): Leaf[] => {
    const [called, held] = [String(entry[by]).trim(), entry[holding]];
    const value: unknown = Array.isArray(held) ? held[0] : held;
    if (called === '' || /[[\]=]/.test(called)) return [];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const name = `${path.join('.')}[${by}=${called}].${holding}${Array.isArray(held) ? '.0' : ''}`;
    return value === '' ? [] : [{ name, path: [...path, called], value }];
  });
}

const US_PHONE = /^\+1[2-9]\d{9}$/;
const SECONDS_DIGITS = 10;
const MILLISECONDS_DIGITS = 13;

/** The conversion without which the value would be refused or read as another. */
function transformFor(to: string, value: string | number | boolean): TransformName | null {
  if (to === 'phone')
    return converts('us_phone', value) && US_PHONE.test(String(transforms.us_phone(value))) ? 'us_phone' : null;
  if (to === 'state') {
    const isCode = typeof value !== 'string' || /^[A-Za-z]{2}$/.test(value.trim());
    return !isCode && regionCode(value) !== null ? 'state_name' : null;
  }
  if (to === 'debt_amount') return typeof value === 'string' && converts('money', value) ? 'money' : null;
  if (to === 'consent_timestamp' || to === 'appointment_at') {
    const digits = String(value);
    if (!/^\d+$/.test(digits)) return isReadable(value) ? null : byCommonTime(value);
    if (digits.length === SECONDS_DIGITS) return 'epoch_s';
    return digits.length === MILLISECONDS_DIGITS ? 'epoch_ms' : null;
  }
  if (to === 'tcpa_consent' || to === 'test')
    return typeof transforms.boolean(value) === 'boolean' && typeof value !== 'boolean' ? 'boolean' : null;
  if (to === 'lead_ip') return converts('public_ip', value) ? 'public_ip' : null;
  return null;
}

function isReadable(value: string | number | boolean): boolean {
  return typeof value === 'string' && parseInstant(value.trim()) !== null;
}

/** Without a zone the supplier's is not known: the operator has to say it if it is not UTC. */
function byCommonTime(value: string | number | boolean): TransformName | null {
  return converts('time', value) ? 'time' : null;
}

function converts(name: TransformName, value: string | number | boolean): boolean {
  return transforms[name](value) !== value;
}
