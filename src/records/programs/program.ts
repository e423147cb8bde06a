import { type Static, Type } from '@sinclair/typebox';
import { type Message, message } from '#base/common/messages/message';
import { effectiveShape, ext, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

const most = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description }));

const offerLimitsShape = record({
  perActivity: most('Offers and rewards applied to one activity at most'),
  perLine: most('Offers with perLine applied to one line item at most'),
});

/** How many offers a program applies at most. */
export type OfferLimits = Static<typeof offerLimitsShape>;

/** Programs: the loyalty programs that members join. */
export const programResource = defineResource({
  name: 'Program',
  path: 'programs',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    code: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', description: 'Unique; also its rule folder' }),
    name: text(200),
    status: oneOf(['Active', 'Paused', 'Closed'], { default: 'Active' }),
    timezone: text(64, {
      default: 'UTC',
      description: 'Cannot change once the program has members',
      'x-timezone': true,
    }),
    currencyCode: Type.Optional(
      Type.String({
        maxLength: 10,
        'x-currency': true,
        description: 'ISO 4217; cannot be another one once activities have amounts',
      }),
    ),
    effective: Type.Optional(effectiveShape),
    offerLimits: Type.Optional(offerLimitsShape),
    /** The currency of the amounts that a program had when its `currencyCode` was cleared. */
    amountsIn: Type.Optional(text(10)),
    /** Set when the first member joins. */
    hasMembers: Type.Optional(Type.Boolean()),
    ext: ext(),
  },
  hidden: ['hasMembers', 'amountsIn'],
  // The code is the name of the program's rule folder.
  fixed: ['code'],
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});

export type Program = DocOf<typeof programResource>;

/** The currency of the amounts of a program; undefined when it takes every one. */
export function programCurrency({
  currencyCode,
  amountsIn,
}: Pick<Program, 'currencyCode' | 'amountsIn'>): string | undefined {
  return currencyCode ?? amountsIn;
}

/** The fault of an activity with another currency than the amounts of its program; undefined when there is none. */
export function otherCurrency(
  program: Pick<Program, 'code' | 'currencyCode' | 'amountsIn'>,
  currencyCode: string | undefined,
): Message | undefined {
  const own = programCurrency(program);
  if (own === undefined || currencyCode === undefined || currencyCode === own) return undefined;
  return message('programs.otherCurrency', { currencyCode, program: program.code, own });
}
