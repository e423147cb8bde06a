import type { ObjectId } from 'bson';
import type { Backing } from '../../backing/backing';
import { resolveNamedList } from '../../catalog/resolveNamedList';
import type { NamedList } from '../../records/catalog/namedList';
import type { Member } from '../../records/members/member';
import { noLists, type ResolvedLists } from '../../rules/evaluate/resolvedLists';
import type { BatchScope } from '../state/batchScope';
import type { NamedRecords, StoredRecord } from '../state/namedRecords';

/** Records of the batch that a list may hold. */
interface Candidates {
  named: NamedRecords;
  products: ReadonlyMap<string, StoredRecord>;
}

/**
 * The named lists that rules of a batch look at. A list of products, locations, partners or members is only asked which
 * records of the batch it holds, so its length does not matter; of any other, all it lists is read.
 */
export async function loadLists(
  services: Pick<Backing, 'db' | 'resources'>,
  scope: BatchScope,
  candidates: Candidates,
): Promise<ResolvedLists> {
  const lists = await scope.catalog.namedLists(wantedLists(scope));
  if (lists.length === 0) return noLists;
  const resolved = await Promise.all(
    lists.map(async (list) => {
      const among = recordsOf(list, scope, candidates);
      const ids = await resolveNamedList(
        services,
        list,
        among?.map(({ id }) => id),
      );
      const keys = (among ?? []).flatMap(({ id, keys }) => (ids.has(id.toHexString()) ? keys : []));
      return { list, ids, texts: new Set([...ids, ...keys]) };
    }),
  );
  return {
    byName: new Map(resolved.map(({ list, texts }) => [list.name, texts])),
    byId: new Map(resolved.map(({ list, ids }) => [list._id.toHexString(), ids])),
  };
}

/** Names and ids of the lists that rules of the batch's activities look at. */
function wantedLists(scope: BatchScope): { names: ReadonlySet<string>; ids: ReadonlySet<string> } {
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const work of scope.works) {
    const lists = scope.rulesOf(work)?.needs.lists;
    for (const name of lists?.names ?? []) names.add(name);
    for (const id of lists?.ids ?? []) ids.add(id);
  }
  return { names, ids };
}

/** A record and the texts that stand for it beside its id. */
interface Candidate {
  id: ObjectId;
  keys: readonly string[];
}

function recordsOf({ model }: NamedList, { members }: BatchScope, { named, products }: Candidates) {
  const candidates: Record<string, () => Candidate[]> = {
    Product: () => [...products].map(([sku, { _id: id }]) => ({ id, keys: [sku] })),
    Location: () => [...named.locationById.values()].map(({ _id: id, number }) => ({ id, keys: textsOf(number) })),
    Partner: () => [...named.partnerByCode].map(([code, { _id: id }]) => ({ id, keys: [code] })),
    Member: () => members.map(({ _id: id, loyaltyIDs }: Member) => ({ id, keys: loyaltyIDs })),
  };
  return candidates[model ?? '']?.();
}

function textsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}
