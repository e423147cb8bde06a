import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'applyOffer',
  { offer: text(100, { description: 'Code of the offer' }) },
  'Applies an offer to the activity, as if its code had been sent; one that may not be used now is passed over',
);

/** Applies an offer; what comes of it stands in `bestOffers`. */
export const applyOffer: ActionDefinition<Static<typeof params>> = {
  type: 'applyOffer',
  params,
  effects: ({ type, offer }) => [{ type, offer }],
};

export type ApplyOffer = Static<typeof params>;
