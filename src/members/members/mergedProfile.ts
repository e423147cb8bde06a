import type { ObjectId } from 'bson';
import { type FieldError, validationError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { freeValuesMax, hasAtMost } from '#base/schema/freeObject';
import { type Member, referralsMax, segmentsMax } from '#records/members/member';
import { type MergedFields, mergedFields } from './mergedFields';
import type { MergedReferrals } from './mergeReferrals';

/** The most entries that each list of a member may have after a merge. */
const listMax = { loyaltyIDs: 200, mergeIds: 1000, referrals: referralsMax, segments: segmentsMax } as const;

/** The fields of a survivor outside its ledger; those that are undefined are absent. */
export type MergedProfile = MergedFields & MergedReferrals & Pick<Member, 'loyaltyIDs' | 'mergeIds'>;

/**
 * Returns the fields of the survivor that a merge changes outside its ledger: all loyalty ids that lead to it, the ids
 * of the members merged into it, its referrals, and what is filled or joined from the merged members.
 * @throws ServiceError 1200 when a list would become longer than its maximum, or `ext` wider
 */
export function mergedProfile(survivor: Member, merged: readonly Member[], referrals: MergedReferrals): MergedProfile {
  const profile: MergedProfile = {
    ...mergedFields(survivor, merged),
    loyaltyIDs: [survivor, ...merged].flatMap(({ loyaltyIDs }) => loyaltyIDs),
    mergeIds: mergedIds(survivor, merged),
    ...referrals,
  };
  const full = Object.entries(listMax).filter(([name, max]) => Reflect.get(profile, name).length > max);
  const faults = full.map(([name, max]): FieldError => {
    return { path: 'memberIds', kind: 'maxItems', ...message('members.togetherTooMany', { max, name }) };
  });
  if (hasTooWideExt(survivor, profile)) {
    const fault = message('members.togetherTooManyValues', { max: freeValuesMax });
    faults.push({ path: 'memberIds', kind: 'maxProperties', ...fault });
  }
  if (faults.length > 0) throw validationError(faults);
  return profile;
}

/**
 * Tells whether a merge would give the survivor too many extension values. Values that it has had itself, from an
 * earlier version of the service, may remain.
 */
export function hasTooWideExt(survivor: Member, { ext = {} }: Pick<MergedProfile, 'ext'>): boolean {
  const own = survivor.ext ?? {};
  return !hasAtMost(freeValuesMax, ext) && Object.entries(ext).some(([name, value]) => own[name] !== value);
}

/** The ids of the members merged into a survivor, earliest merge first. */
export function mergedIds(survivor: Member, merged: readonly Member[]): ObjectId[] {
  return [...survivor.mergeIds, ...merged.flatMap(({ mergeIds, _id }) => [...mergeIds, _id])];
}

/** Tells whether a member was merged into the survivor, directly or through another merged member. */
export function isMergedInto({ mergeIds }: Pick<Member, 'mergeIds'>, id: ObjectId): boolean {
  return mergeIds.some((merged) => merged.equals(id));
}

/**
 * Refuses members that cannot be merged into the survivor. A member that was merged into it before is accepted.
 * @param found those of `ids` that exist
 * @throws ServiceError 1200 naming each refused member by its index
 */
export function requireMergeable(survivor: Member, ids: readonly ObjectId[], found: readonly Member[]): void {
  const byId = new Map(found.map((member) => [member._id.toHexString(), member]));
  const seen = new Set<string>();
  const faults = ids.flatMap((id, index): FieldError[] => {
    const key = id.toHexString();
    const isTwice = seen.has(key);
    seen.add(key);
    const fault = isTwice ? message('members.namedTwice') : mergeFault(survivor, id, byId.get(key));
    return fault ? [{ path: `memberIds.${index}`, kind: isTwice ? 'unique' : 'reference', ...fault }] : [];
  });
  if (faults.length > 0) throw validationError(faults);
}

function mergeFault(survivor: Member, id: ObjectId, member: Member | undefined): Message | undefined {
  if (id.equals(survivor._id)) return message('members.isSurvivor');
  if (!member) return message('accounts.noMember');
  if (isMergedInto(survivor, id)) return undefined;
  if (member.status === 'Merged') return message('members.mergedInto', { member: String(member.mergedInto) });
  if (member.status === 'Erased') return message('members.wasErased');
  if (!member.program.equals(survivor.program)) return message('members.programOfOther');
  return undefined;
}
