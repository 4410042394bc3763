import { describe, expect, it } from 'vitest';

import { type MessageTarget, type OwnerSettings, targetOf } from './message-target.rules.ts';

const unset: OwnerSettings = {
  callbackUrl: null,
  channels: null,
  webhookUrl: null,
  isDisabled: false,
  notificationEmail: null,
  ccEmails: null,
  name: null,
  timeZone: null,
  secret: 'whsec_new',
  previousSecret: null,
};
const supplier: OwnerSettings = { ...unset, callbackUrl: 'https://acme.example/hooks' };
const buyer: OwnerSettings = {
  ...unset,
  channels: ['email', 'webhook'],
  webhookUrl: 'https://summit.example/leads',
  notificationEmail: 'leads@summit.example',
  ccEmails: ['desk@summit.example'],
  name: 'Summit',
  timeZone: 'America/Denver',
};
const webhook = (url: string, secrets = ['whsec_new']): MessageTarget => ({ kind: 'webhook', url, secrets });
const recipient = { name: 'Summit', timeZone: 'America/Denver' };

describe('The target of a message by webhook', () => {
  it.each<{ says: string; ownerKind: 'supplier' | 'buyer'; owner: OwnerSettings; target: MessageTarget | null }>([
    {
      says: 'is the callback of a supplier',
      ownerKind: 'supplier',
      owner: supplier,
      target: webhook('https://acme.example/hooks'),
    },
    {
      says: 'has both secrets while one is being replaced',
      ownerKind: 'supplier',
      owner: { ...supplier, previousSecret: 'whsec_old' },
      target: webhook('https://acme.example/hooks', ['whsec_new', 'whsec_old']),
    },
    {
      says: 'is found without a secret too',
      ownerKind: 'supplier',
      owner: { ...supplier, secret: null },
      target: webhook('https://acme.example/hooks', []),
    },
    { says: 'goes nowhere where the supplier has no callback', ownerKind: 'supplier', owner: unset, target: null },
    {
      says: 'is the webhook of a buyer with that channel',
      ownerKind: 'buyer',
      owner: buyer,
      target: webhook('https://summit.example/leads'),
    },
    {
      says: 'is null if the buyer does not use webhooks',
      ownerKind: 'buyer',
      owner: { ...buyer, channels: ['email'] },
      target: null,
    },
    {
      says: 'is null if the endpoint is disabled',
      ownerKind: 'buyer',
      owner: { ...buyer, isDisabled: true },
      target: null,
    },
    {
      says: 'is null if the buyer has no URL',
      ownerKind: 'buyer',
      owner: { ...buyer, webhookUrl: null },
      target: null,
    },
    {
      says: 'is null if the URL is empty',
      ownerKind: 'buyer',
      owner: { ...buyer, webhookUrl: '' },
      target: null,
    },
    { says: 'never goes to a buyer for a supplier', ownerKind: 'supplier', owner: buyer, target: null },
    { says: 'never goes to a supplier for a buyer', ownerKind: 'buyer', owner: supplier, target: null },
  ])('$says', ({ ownerKind, owner, target }) => {
    expect(targetOf({ ownerKind, channel: 'webhook' }, owner)).toEqual(target);
  });
});

describe('The target of a message by email', () => {
  it.each<{ says: string; owner: OwnerSettings; target: MessageTarget | null }>([
    {
      says: 'is the address for notices with its CC addresses, for any channels of leads',
      owner: { ...buyer, channels: ['webhook'], isDisabled: true },
      target: { kind: 'email', to: 'leads@summit.example', cc: ['desk@summit.example'], recipient },
    },
    { says: 'goes nowhere without that address', owner: { ...buyer, notificationEmail: null }, target: null },
    { says: 'goes nowhere where it is empty', owner: { ...buyer, notificationEmail: '' }, target: null },
    { says: 'goes nowhere where there is no such buyer', owner: unset, target: null },
  ])('$says', ({ owner, target }) => {
    expect(targetOf({ ownerKind: 'buyer', channel: 'email' }, owner)).toEqual(target);
  });
});
