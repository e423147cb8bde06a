import { Type } from '@sinclair/typebox';
import { count, ext, objectId, oneOf, record, text, withValues } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
import { escrowTerms, expiryTerms } from '../points/terms';

/** The fields that each type of terms needs, for the OpenAPI document; `escrowFaults` and `expiryFaults` check them. */
const escrowRule = { anyOf: [{ properties: { type: { const: 'none' } } }, withValues(['value', 'unit'])] };
const expiryRule = {
  anyOf: [
    { properties: { type: { const: 'none' } } },
    withValues(['month', 'day'], { type: { const: 'calendar' } }),
    withValues(['value', 'unit'], {
      type: { enum: ['rolling', 'inactivity'] },
      value: { type: 'integer', minimum: 1 },
    }),
  ],
};

/** Purse policies: a kind of points of a program. */
export const pursePolicyResource = defineResource({
  name: 'PursePolicy',
  path: 'pursepolicies',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    name: text(100, { description: 'Unique in the program' }),
    program: objectId('Program'),
    primary: Type.Boolean({ default: false }),
    unit: Type.Optional(record({ one: text(40), other: text(40) })),
    overdraftLimit: count({ default: 0, description: 'Points a redemption may go below zero' }),
    clawback: oneOf(['full', 'toZero', 'pendingOnly'], { default: 'full' }),
    escrow: Type.Optional({ ...escrowTerms, 'x-document': escrowRule }),
    expiry: Type.Optional({ ...expiryTerms, 'x-document': expiryRule }),
    costPerPoint: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    ext: ext(),
  },
  fixed: ['program'],
  indexes: [
    { keys: { org: 1, program: 1, name: 1 }, unique: true },
    { keys: { org: 1, program: 1, primary: 1 }, unique: true, where: { primary: true } },
  ],
});

export type PursePolicy = DocOf<typeof pursePolicyResource>;
