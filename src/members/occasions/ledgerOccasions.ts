import type { ObjectId } from 'bson';
import { localDay } from '#base/calendar/localCalendar';
import { textOfDay } from '#base/calendar/windows';
import { groupBy } from '#base/common/lists/groupBy';
import type { Author } from '#base/db/records';
import type { OccasionType } from '#records/activities/occasion';
import type { Submission } from '#records/activities/submission';
import type { Member } from '#records/members/member';
import type { PostedEntry } from '#records/points/journalEntry';
import { occasionSubmission } from './occasionSubmission';
import { type MovedTiers, tierOccasions } from './tierOccasions';

/** The changes of one commit to a member from which occasions follow. */
export interface LedgerOccasionsInput extends MovedTiers {
  author: Author;
  member: Member;
  /** The occasions that rules of the member's program are for. */
  wanted: ReadonlySet<OccasionType>;
  entries: readonly PostedEntry[];
  /** IANA time zone of the program. */
  timezone: string;
  purseName(policyId: ObjectId): string;
  now: Date;
}

/** The submissions that a commit stores with the changes of a member: levels reached and lost, points expired. */
export function ledgerOccasions(input: LedgerOccasionsInput): Submission[] {
  const { wanted } = input;
  const isTiered = wanted.has('TierReached') || wanted.has('TierLost');
  return [...(isTiered ? tierOccasions(input) : []), ...(wanted.has('PointsExpired') ? expiryOccasions(input) : [])];
}

/** One occasion for each purse and instant at which points expired. */
function expiryOccasions({ author, member, entries, timezone, purseName, now }: LedgerOccasionsInput): Submission[] {
  const expired = entries.filter(({ kind }) => kind === 'expire');
  const groups = groupBy(expired, ({ purse, at }) => `${purse.toHexString()} ${at.getTime()}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const points = group.reduce((sum, { available }) => sum - available, 0);
    // The activity of the expired award is the cause. It limits the chain when a rule awards points for an expiry and
    // these expire again.
    const cause = group.findLast(({ activity }) => activity)?.activity;
    const { purse, at, seq } = first;
    const occasion = {
      purse: purseName(purse),
      points,
      on: textOfDay(localDay(at, timezone)),
      ...(cause && { cause }),
    };
    const name = { type: 'PointsExpired' as const, at, idParts: [member._id, purse, seq] };
    return [occasionSubmission(author, now, { ...name, member: member._id, date: at, occasion })];
  });
}
