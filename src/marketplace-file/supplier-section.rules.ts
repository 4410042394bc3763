// Reads one entry of `suppliers:` (contract 3.7, 5.8, 7.6).
import { checkFieldMapping, type FieldMapping } from '../suppliers/field-mapping.rules.ts';
import { mappingEntries } from '../suppliers/supplier-form.rules.ts';
import { callbackEvents, supplierRateLimit, supplierStatuses, type SupplierConfig } from '../suppliers/supplier.ts';
import { readRateLimit } from './marketplace-section.rules.ts';
import {
  addFault,
  inOrderOf,
  optional,
  plainValue,
  readKey,
  readMembers,
  readOneOf,
  readSet,
  readText,
  required,
  type Read,
  type Spot,
} from './read-tree.rules.ts';
import { memberPath, type Tree } from './yaml-tree.rules.ts';

const MEMBERS = ['key', 'name', 'status', 'fieldMapping', 'callback', 'rateLimit'];
const noMapping: FieldMapping = {};

/** `readTarget` reads a URL that the service will call. */
export function readSupplier(readTarget: Read<string>): Read<SupplierConfig> {
  return (spot) => {
    const members = readMembers(spot, MEMBERS);
    const supplierKey = required(members, 'key', readKey);
    return {
      supplierKey,
      name: optional(members, 'name', readText, supplierKey),
      // Whoever is not said to be approved is not.
      status: optional(members, 'status', readOneOf(supplierStatuses), 'pending'),
      fieldMapping: optional(members, 'fieldMapping', readFieldMapping, noMapping),
      callback: optional(members, 'callback', (callback) => readCallback(callback, readTarget), null),
      rateLimit: optional(members, 'rateLimit', readRateLimit(supplierRateLimit), supplierRateLimit),
    };
  };
}

function readCallback(spot: Spot, readTarget: Read<string>): SupplierConfig['callback'] {
  const members = readMembers(spot, ['url', 'events']);
  const events = optional(members, 'events', readSet(readOneOf(callbackEvents), inOrderOf(callbackEvents)), null);
  const eventsSpot = members.byName.get('events');
  if (eventsSpot?.tree.kind === 'list' && eventsSpot.tree.items.length === 0) {
    addFault(eventsSpot, 'must name at least one event');
  }
  return { url: required(members, 'url', readTarget), events: events ?? ['lead.processing_error'] };
}

function readFieldMapping(spot: Spot): FieldMapping {
  const checked = checkFieldMapping(plainValue(spot.tree));
  if (checked.ok) return Object.fromEntries(mappingEntries(checked.mapping));
  const placeOf = pointerPlaces(spot);
  for (const fault of checked.faults) addFault(placeOf(fault.path), fault.message);
  return noMapping;
}

/** Finds the deepest value on the way of a JSON Pointer from the mapping that exists; each map is indexed once. */
function pointerPlaces(mapping: Spot): (pointer: string) => Spot {
  const indexes = new Map<Tree, Map<string, Tree>>();
  const childOf = (tree: Tree, name: string): Tree | undefined => {
    if (tree.kind !== 'map') return undefined;
    const index = indexes.get(tree) ?? new Map(tree.entries.map(({ key, value }) => [key, value]));
    indexes.set(tree, index);
    return index.get(name);
  };
  return (pointer) => {
    let at = mapping;
    for (const part of pointer.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const child = childOf(at.tree, name);
      if (child === undefined) return at;
      at = { tree: child, path: memberPath(at.path, name), faults: at.faults };
    }
    return at;
  };
}
