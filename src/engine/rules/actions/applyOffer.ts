import { text } from '#base/schema/atoms';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Applies an offer. The field `bestOffers` of the result says what the offer gave. */
export const applyOffer = defineAction({
  type: 'applyOffer',
  description:
    'Applies an offer, as if couponCode had named it: bestOffers tells what it gave; one that may not be used now is passed over, with a line in result.log',
  params: { offer: text(100, { description: 'Code of the offer' }) },
  names: ({ offer }) => [{ at: 'offer', kind: 'offer', name: offer }],
  needs: ({ offer }) => ({ coupons: [offer] }),
  onCancel: 'returned',
  words: {
    en: ({ offer }) => `apply the offer ${valueText(offer)}`,
    de: ({ offer }) => `Angebot ${germanValue(offer)} anwenden`,
  },
  effects: ({ type, offer }) => [{ type, offer }],
  apply: (target, effect, rule) => target.applyOffer(effect, rule),
});
