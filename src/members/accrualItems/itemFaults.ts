import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { invalidField, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { requirePresent } from '#members/memberState/readMember';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import type { ItemToAdd } from './itemBodies';

/** For each item to add, the error when its member is unknown, merged or erased, or its `externalId` is taken. */
export async function itemFaults(
  db: Connection,
  org: ObjectId,
  bodies: readonly Pick<ItemToAdd, 'member' | 'externalId'>[],
): Promise<(ServiceError | undefined)[]> {
  const keys = bodies.flatMap(({ externalId }) => externalId ?? []);
  const [members, items] = await Promise.all([
    collectionOf(db, memberResource)
      .find({ org, _id: { $in: bodies.map(({ member }) => member) } })
      .project<Parameters<typeof requirePresent>[1]>({ org: 1, status: 1, mergedInto: 1 })
      .toArray(),
    keys.length === 0
      ? []
      : collectionOf(db, accrualItemResource)
          .find({ org, externalId: { $in: keys } }, { projection: { externalId: 1 } })
          .toArray(),
  ]);
  const known = new Map(members.map((member) => [member._id.toHexString(), member]));
  const taken = new Set(items.flatMap(({ externalId }) => externalId ?? []));
  const faults: (ServiceError | undefined)[] = [];
  for (const { member: id, externalId } of bodies) {
    const member = known.get(id.toHexString());
    if (!member) faults.push(invalidField('member', 'reference', message('refs.noMember')));
    else if (externalId !== undefined && taken.has(externalId)) faults.push(takenExternalId());
    else faults.push(await goneFault(db, member));
    if (externalId !== undefined) taken.add(externalId);
  }
  return faults;
}

function takenExternalId(): ServiceError {
  return invalidField('externalId', 'unique', message('refs.taken'));
}

async function goneFault(db: Connection, member: Parameters<typeof requirePresent>[1]) {
  try {
    await requirePresent(db, member);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
