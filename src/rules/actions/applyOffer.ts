import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'applyOffer',
  { offer: text(100, { description: 'Code of the offer' }) },
  'Applies an offer, as if couponCode had named it: bestOffers tells what it gave; one that may not be used now is passed over, with a line in result.log',
);

/** Applies an offer; what comes of it stands in `bestOffers`. */
export const applyOffer: ActionDefinition<Static<typeof params>> = {
  type: 'applyOffer',
  params,
  effects: ({ type, offer }) => [{ type, offer }],
};

export type ApplyOffer = Static<typeof params>;
