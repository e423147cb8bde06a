import { type Message, message } from '#base/common/messages/message';
import { folded } from '#base/schema/findable';
import type { Coupon } from '#programs/offers/coupon';
import { validityFault } from '#programs/offers/validity';
import type { Activity } from '#records/activities/activity';
import type { IssuedReward } from '#records/offers/issuedReward';
import { type BatchContext, findIssuedReward } from './batchContext';

type Known = Pick<BatchContext, 'named' | 'issued'>;

/** A choice of rewards, issued to a member. */
export type Choice = IssuedReward & { choice: NonNullable<IssuedReward['choice']> };

/** The choice that a code belongs to; undefined when it is no choice. */
export function findChoice(context: Known, code: string | undefined): Choice | undefined {
  const issued = code === undefined ? undefined : findIssuedReward(context, code);
  return issued?.choice ? { ...issued, choice: issued.choice } : undefined;
}

/** The reward that an activity takes by a choice: the one that it names, else the default. */
export function takenReward(context: Known, { choice }: Choice, { chosenReward }: Activity): Coupon | undefined {
  const offered = choice.rewards.flatMap((id) => context.named.couponById.get(id.toHexString()) ?? []);
  return chosenReward === undefined
    ? offered.find(({ record }) => choice.default?.equals(record._id))
    : (offered.find(({ record }) => record.code === chosenReward) ??
        offered.find(({ record }) => record.codeKey === folded(chosenReward)));
}

/** The reason why an activity cannot take a reward by a choice; undefined when it can. */
export function choiceFault(context: Known, choice: Choice, activity: Activity): Message | undefined {
  const { chosenReward, date } = activity;
  const taken = takenReward(context, choice, activity);
  if (chosenReward !== undefined && !taken) return message('activities.noChoiceWith', { reward: chosenReward });
  const late = validityFault(choice, date);
  if (!taken) return late ?? message('activities.choiceNeedsReward');
  return choice.choice.default?.equals(taken.record._id) ? undefined : late;
}
