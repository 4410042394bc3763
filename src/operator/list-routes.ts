// Lists in the operator's API: the operator's own and those of partners (contract 15.1).
import type { MountedRoutes } from './mount-console-routes.ts';

export const listRoutes: MountedRoutes = {
  'GET /lists': {
    scope: 'read',
    operationId: 'listLists',
    summary: 'List the lists of contacts that are not sold',
    description: 'Newest first: the operator’s own lists, and those of partners.',
    returns: 'A page of lists.',
  },
  'POST /lists': {
    scope: 'configure',
    operationId: 'createList',
    summary: 'Create a list',
    description: 'It is empty until entries are loaded.',
    returns: 'The list.',
    problems: ['list_key_taken', 'too_many_lists'],
  },
  'GET /lists/:listId': {
    scope: 'read',
    operationId: 'getList',
    summary: 'Read a list',
    description: 'The list with its latest loads. Entries are stored as hashes and cannot be read.',
    returns: 'The list with its loads.',
  },
  'POST /lists/:listId/change': {
    scope: 'configure',
    operationId: 'changeList',
    summary: 'Change a list',
    description: 'Its name, and the partners and offers for which it counts. Kind, use and entries stay.',
    returns: 'The list.',
  },
  'POST /lists/:listId/check': {
    scope: 'privacy',
    operationId: 'checkListValue',
    summary: 'Look a value up in a list',
    description: 'Whether the value, or its SHA-256, is on the list now.',
    returns: 'Whether it is, and until when.',
  },
  'POST /lists/:listId/remove': {
    scope: 'configure',
    operationId: 'removeList',
    summary: 'Remove a list',
    description: 'It counts for nothing from then on; its entries are deleted soon after.',
    returns: 'Whether it was removed now.',
  },
  'POST /lists/:listId/remove-values': {
    scope: 'configure',
    operationId: 'removeListValues',
    summary: 'Remove single values from a list',
    description: 'Up to 1,000 values or their SHA-256 at a time. A later load may bring them again.',
    returns: 'How many of them the list had.',
  },
  'POST /lists/:listId/loads': {
    scope: 'configure',
    operationId: 'beginListLoad',
    summary: 'Begin to load a list',
    description:
      'Then send the entries in parts of at most 1,000,000 characters each, and finish the load. Nothing counts before that, and a load that gets no part for an hour is discarded.',
    returns: 'The load.',
  },
  'POST /lists/:listId/loads/:loadId/parts': {
    scope: 'configure',
    operationId: 'addListPart',
    summary: 'Send a part of a load',
    description:
      'CSV with a header: a column `value` and, if wanted, `expires`. Parts have numbers from 1 and are sent one after the other; a part that was stored before changes nothing. A row with an error rejects the part, unless the load skips such rows.',
    returns: 'The load so far.',
    problems: ['load_not_open', 'part_out_of_order', 'list_too_large'],
  },
  'POST /lists/:listId/loads/:loadId/finish': {
    scope: 'configure',
    operationId: 'finishListLoad',
    summary: 'Finish a load',
    description: 'All its entries count from then on. With `replace` those of earlier loads end at the same instant.',
    returns: 'The load.',
    problems: ['load_not_open', 'part_out_of_order'],
  },
  'POST /lists/:listId/loads/:loadId/discard': {
    scope: 'configure',
    operationId: 'discardListLoad',
    summary: 'Discard a load',
    description: 'For one that will not be finished. A finished load stays.',
    returns: 'The load.',
  },
};
