import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { BatchContext, BatchSegments } from '#activities/state/batchContext';
import { collectionOf } from '#base/db/collections';
import { noLists, type ResolvedLists } from '#engine/rules/evaluate/resolvedLists';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import { noWindowValues } from '#engine/sums/windowSums';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { matchedSegments } from '#programs/catalog/matchedSegments';
import { resolveNamedList } from '#programs/catalog/resolveNamedList';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import type { NamedList } from '#records/catalog/namedList';
import type { Segment } from '#records/catalog/segment';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import type { Member } from '#records/members/member';
import type { BatchScope } from './batchScope';
import { loadMetricSums } from './loadMetricSums';
import { type CounterReader, loadUsage, type Usage } from './loadUsage';

/**
 * Reads what only some rules need, such as uses, sums, segments and lists, as far as the rules of this batch need it.
 */
export async function loadForRules(
  services: Pick<Infrastructure, 'db' | 'resources' | 'extDefinitions' | 'ruleSets'>,
  scope: BatchScope,
  readCounters: CounterReader,
): Promise<Usage & Pick<BatchContext, 'sums' | 'windows' | 'lists' | 'segments' | 'extDefinitions' | 'pastRuleSets'>> {
  const [usage, metrics, segments, extDefinitions, pastRuleSets, lists] = await Promise.all([
    countsUses(scope) ? loadUsage(services.db, scope, readCounters) : nothingUsed(),
    readsSums(scope) ? loadMetricSums(services.db, scope) : noSums,
    loadSegments(services.db, scope),
    loadDefinitions(services, scope),
    loadPastRuleSets(services, scope),
    loadLists(services, scope),
  ]);
  return { ...usage, ...metrics, segments, extDefinitions, pastRuleSets, lists };
}

/** Tells whether the batch may use a limit, a budget, an offer or a reward, or return such a use by a cancellation. */
function countsUses({ requests, originals, named, rulesOf }: BatchScope): boolean {
  return originals.length > 0 || named.couponById.size > 0 || requests.some((request) => rulesOf(request)?.limited);
}

function nothingUsed(): Usage {
  return { usage: new Map(), inheritedUsage: new Map(), limitWindows: undefined, accounts: new Map() };
}

const noSums = { sums: new Map<string, number>(), windows: noWindowValues };

function readsSums({ requests, rulesOf }: BatchScope): boolean {
  return requests.some((request) => {
    const needs = rulesOf(request)?.needs;
    return needs !== undefined && (needs.aggregates.length > 0 || needs.lastVisit);
  });
}

async function loadDefinitions(
  { extDefinitions }: Pick<Infrastructure, 'extDefinitions'>,
  { org, definitionsVersion, requests, rulesOf }: BatchScope,
): Promise<ExtDefinitions> {
  const isNeeded = requests.some((request) => rulesOf(request)?.needs.ext);
  return isNeeded ? extDefinitions.current(org, definitionsVersion) : noExtDefinitions;
}

/**
 * The segments that rules of a batch use or change. Static segments are stored in the members. For each segment by
 * query, one query finds the members of the batch that are in it. It runs no query when no rule uses segments.
 */
async function loadSegments(db: Connection, scope: BatchScope): Promise<BatchSegments> {
  const names = new Set<string>();
  const members = new Map<string, ObjectId>();
  let isAll = false;
  for (const request of scope.requests) {
    const [member, rules] = [scope.memberOf(request), scope.rulesOf(request)];
    if (!member || !rules) continue;
    const { segments } = rules.needs;
    if (segments.names.length === 0 && !segments.all) continue;
    members.set(member._id.toHexString(), member._id);
    isAll ||= segments.all;
    for (const name of segments.names) names.add(name);
  }
  if (members.size === 0) return noSegments;
  const wanted = (await scope.catalog.segments()).filter(({ name }) => isAll || names.has(name));
  const byQuery = wanted.filter(({ kind }) => kind === 'query');
  const membership = { org: scope.org, members: [...members.values()], segments: byQuery };
  return batchSegments(wanted, byQuery.length === 0 ? new Map() : await matchedSegments(db, membership));
}

/** For batches whose rules use no segments. */
const noSegments: BatchSegments = { idOf: () => undefined, namesOf: () => [], datesOf: () => noDates };
const noDates: Readonly<Record<string, Date>> = {};

/** @param queried for each hexadecimal member id, the names of the segments by query that the member is in */
function batchSegments(segments: readonly Segment[], queried: ReadonlyMap<string, ReadonlySet<string>>): BatchSegments {
  const statics = segments.filter(({ kind }) => kind === 'static');
  const idByName = new Map(statics.map(({ _id, name }) => [name, _id]));
  const nameById = new Map(statics.map(({ _id, name }) => [_id.toHexString(), name]));
  return {
    idOf: (name) => idByName.get(name),
    namesOf: ({ _id, segments: ids = [] }) => [
      ...ids.flatMap((id) => nameById.get(id.toHexString()) ?? []),
      ...(queried.get(_id.toHexString()) ?? []),
    ],
    datesOf: ({ segmentDates = [] }) =>
      Object.fromEntries(
        segmentDates.flatMap(({ segment, since }) => {
          const name = nameById.get(segment.toHexString());
          return name === undefined ? [] : [[name, since] as const];
        }),
      ),
  };
}

/**
 * The named lists that rules of a batch use. From a list of products, locations, partners or members it reads only the
 * entries for records of the batch, so the length of the list does not matter. Any other list is read whole.
 */
async function loadLists(
  services: Pick<Infrastructure, 'db' | 'resources'>,
  scope: BatchScope,
): Promise<ResolvedLists> {
  const lists = await scope.catalog.namedLists(wantedLists(scope));
  if (lists.length === 0) return noLists;
  const resolved = await Promise.all(
    lists.map(async (list) => {
      const among = listCandidates(list, scope);
      const candidates = among?.map(({ id }) => id);
      const ids = await resolveNamedList(services, list, candidates);
      const keys = (among ?? []).flatMap(({ id, keys }) => (ids.has(id.toHexString()) ? keys : []));
      return { list, ids, texts: new Set([...ids, ...keys]) };
    }),
  );
  return {
    byName: new Map(resolved.map(({ list, texts }) => [list.name, texts])),
    byId: new Map(resolved.map(({ list, ids }) => [list._id.toHexString(), ids])),
  };
}

/** Names and ids of the lists that the rules of the batch use. */
function wantedLists(scope: BatchScope): { names: ReadonlySet<string>; ids: ReadonlySet<string> } {
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const request of scope.requests) {
    const lists = scope.rulesOf(request)?.needs.lists;
    for (const name of lists?.names ?? []) names.add(name);
    for (const id of lists?.ids ?? []) ids.add(id);
  }
  return { names, ids };
}

/** A record with the strings that rules may compare instead of its id, such as a SKU or a code. */
interface ListableRecord {
  id: ObjectId;
  keys: readonly string[];
}

function listCandidates({ model }: NamedList, { members, named }: BatchScope) {
  const candidates: Record<string, () => ListableRecord[]> = {
    Product: () => [...named.products.bySku].map(([sku, { _id: id }]) => ({ id, keys: [sku] })),
    Location: () => [...named.locationById.values()].map(({ _id: id, number }) => ({ id, keys: asTexts(number) })),
    Partner: () => [...named.partnerByCode].map(([code, { _id: id }]) => ({ id, keys: [code] })),
    Member: () => members.map(({ _id: id, loyaltyIDs }: Member) => ({ id, keys: loyaltyIDs })),
  };
  return candidates[model ?? '']?.();
}

function asTexts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}

/**
 * The rule sets that evaluated the originals of partial returns, by version. The remaining part is decided again by
 * them. A rule set that is no longer stored is left out.
 */
async function loadPastRuleSets(
  { db, ruleSets }: Pick<Infrastructure, 'db' | 'ruleSets'>,
  { org, requests, originals }: Pick<BatchScope, 'org' | 'requests' | 'originals'>,
): Promise<ReadonlyMap<number, RuleSet>> {
  const parts = requests.flatMap(({ cancel }) =>
    cancel?.lines || cancel?.value !== undefined ? [cancel.originalId] : [],
  );
  const partlyReturned = originals.filter(({ _id }) => parts.some((id) => id.equals(_id)));
  const versions = [...new Set(partlyReturned.flatMap(({ ruleSet }) => ruleSet ?? []))];
  if (versions.length === 0) return new Map();
  const stored = await collectionOf(db, ruleSetResource)
    .find({ org, version: { $in: versions } })
    .project<{ version: number }>({ version: 1 })
    .toArray();
  const sets = await Promise.all(
    stored.map(async ({ version }) => [version, await ruleSets.current(org, version)] as const),
  );
  return new Map(sets.flatMap(([version, set]) => (set ? [[version, set] as const] : [])));
}
