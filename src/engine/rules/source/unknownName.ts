import { type Message, message } from '#base/common/messages/message';
import { didYouMean } from './nearest';

/** What a name in a rule can be of. */
export type NameKind = keyof typeof kinds;

const kinds = {
  purse: 'rules.unknownPurse',
  offer: 'rules.unknownOffer',
  reward: 'rules.unknownReward',
  segment: 'rules.unknownSegment',
  'tier policy': 'rules.unknownTierPolicy',
  'tier level': 'rules.unknownTierLevel',
  'activity type': 'rules.unknownActivityType',
  'offer or reward': 'rules.unknownOfferOrReward',
  'named list': 'rules.unknownNamedList',
  'segment without a query': 'rules.unknownStaticSegment',
} as const;

/** The fault of a name that no record has, with the most similar known name. */
export function unknownName(kind: NameKind, name: string, known: Iterable<string>): Message {
  return didYouMean(message(kinds[kind], { name }), name, known);
}
