import { Type } from '@sinclair/typebox';
import { count, ext, findableName, objectId, oneOf, record, text, withValues } from '#base/schema/atoms';
import { inForms } from '#base/schema/inForms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { expiryRule, expiryTerms } from '#records/points/expiry/expiryTerms';
import { escrowTerms } from '#records/points/terms';

/** The fields that each type of escrow needs, for the OpenAPI document; `escrowFaults` checks them. */
const escrowRule = { anyOf: [{ properties: { type: { const: 'none' } } }, withValues(['value', 'unit'])] };

/** Purse policies: a kind of points of a program. */
export const pursePolicyResource = defineResource({
  name: 'PursePolicy',
  path: 'pursepolicies',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    name: findableName(100, { description: 'Unique in the program' }),
    program: objectId('Program'),
    primary: Type.Boolean({
      default: false,
      description: 'The purse of what names no other, such as extra points of offers; one in a program',
    }),
    unit: Type.Optional(
      record({ one: text(40), other: text(40) }, { description: 'What points are called, such as point and points' }),
    ),
    overdraftLimit: count({
      default: 0,
      ...inForms({
        help: {
          en: 'Points a redemption may go below zero',
          de: 'So viele Punkte darf eine Einlösung unter null gehen',
        },
      }),
    }),
    clawback: oneOf(['full', 'toZero', 'pendingOnly'], {
      default: 'full',
      ...inForms({
        label: { en: 'Clawback', de: 'Rückforderung' },
        help: {
          en:
            'Points that a return takes back and that are spent already. full: they become debt; toZero: other points are ' +
            'taken, the rest is forgiven; pendingOnly: they stay, only points in escrow are taken back',
          de:
            'Punkte, die eine Rückgabe zurücknimmt und die schon eingelöst sind. full: sie werden Schuld; toZero: andere ' +
            'Punkte werden genommen, der Rest wird erlassen; pendingOnly: sie bleiben, nur wartende Punkte werden ' +
            'zurückgenommen',
        },
      }),
    }),
    escrow: Type.Optional({
      ...escrowTerms,
      description: 'How long points wait until they can be spent. Without it they can be spent at once',
      'x-document': escrowRule,
    }),
    expiry: Type.Optional({
      ...expiryTerms,
      description: 'How long points can be spent. Without it they never expire',
      'x-document': expiryRule,
    }),
    costPerPoint: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        ...inForms({
          label: { en: 'Cost of a point', de: 'Kosten je Punkt' },
          help: {
            en: 'In the currency of the program; for the liability in reports',
            de: 'In der Währung des Programms; für die Verbindlichkeit in Berichten',
          },
        }),
      }),
    ),
    ext: ext(),
  },
  fixed: ['program'],
  indexes: [
    { keys: { org: 1, program: 1, name: 1 }, unique: true },
    { keys: { org: 1, program: 1, primary: 1 }, unique: true, where: { primary: true } },
  ],
});

export type PursePolicy = DocOf<typeof pursePolicyResource>;
