import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { builtInActivityTypes } from '../records/activities/activity';
import { enumResource } from '../records/catalog/enumValue';
import { namedListResource } from '../records/catalog/namedList';
import { segmentResource } from '../records/catalog/segment';
import { type Offer, offerResource } from '../records/offers/offer';
import { rewardResource } from '../records/offers/reward';
import { type Program, programResource } from '../records/programs/program';
import { type PursePolicy, pursePolicyResource } from '../records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '../records/programs/tierPolicy';
import type { RuleDefinition } from '../rules/format/rule';
import type { ProgramReferences, RuleReferences } from '../rules/format/ruleReferences';

/** Reads everything of an org that its rule files may refer to. `drafts` are the rules in force. */
export async function loadRuleReferences(
  db: Connection,
  org: ObjectId,
  drafts: readonly RuleDefinition[] = [],
): Promise<RuleReferences> {
  const [programs, policies, tierPolicies, types, segments, lists, offers, rewards] = await Promise.all([
    collectionOf(db, programResource).find({ org }).sort({ code: 1 }).toArray(),
    collectionOf(db, pursePolicyResource).find({ org }).sort({ name: 1 }).toArray(),
    collectionOf(db, tierPolicyResource).find({ org }).sort({ name: 1 }).toArray(),
    collectionOf(db, enumResource).find({ org, type: 'ActivityType' }).sort({ value: 1 }).toArray(),
    collectionOf(db, segmentResource)
      .find({ org }, { projection: { name: 1, kind: 1 } })
      .sort({ name: 1 })
      .toArray(),
    collectionOf(db, namedListResource)
      .find({ org }, { projection: { name: 1, model: 1 } })
      .sort({ name: 1 })
      .toArray(),
    collectionOf(db, offerResource).find({ org }, codesOnly).sort({ code: 1 }).toArray(),
    collectionOf(db, rewardResource).find({ org }, codesOnly).sort({ code: 1 }).toArray(),
  ]);
  return {
    programs: programs.map((program) => programDefinition(program, policies, tierPolicies, { offers, rewards })),
    activityTypes: [...builtInActivityTypes, ...types.map(({ value }) => value)],
    segments: segments.map(({ name }) => name),
    querySegments: segments.flatMap(({ name, kind }) => (kind === 'query' ? [name] : [])),
    namedLists: lists.map(({ _id, name, model }) => ({ id: _id.toHexString(), name, ...(model ? { model } : {}) })),
    metrics: metricsOf(drafts),
  };
}

const codesOnly = { projection: { code: 1, program: 1 } };

type Coded = Pick<Offer, 'program' | 'code'>;

/** A program as rule files refer to it. Takes only the policies, offers and rewards of this program. */
export function programDefinition(
  { _id, code, timezone }: Pick<Program, '_id' | 'code' | 'timezone'>,
  policies: readonly Pick<PursePolicy, 'program' | 'name' | 'expiry'>[],
  tierPolicies: readonly Pick<TierPolicy, 'program' | 'name' | 'levels'>[],
  { offers, rewards }: { offers: readonly Coded[]; rewards: readonly Coded[] },
): ProgramReferences {
  const codesOf = (all: readonly Coded[]) =>
    all.filter(({ program }) => program.equals(_id)).map(({ code: each }) => each);
  const own = policies.filter(({ program }) => program.equals(_id));
  const purses = own.map(({ name }) => name);
  const inactivityPurses = own.filter(({ expiry }) => expiry?.type === 'inactivity').map(({ name }) => name);
  const tiers = tierPolicies
    .filter(({ program }) => program.equals(_id))
    .map(({ name, levels }) => ({ name, levels: levels.map(({ name, number }) => ({ name, number })) }));
  const codes = { offers: codesOf(offers), rewards: codesOf(rewards) };
  return { _id, code, timezone, purses, inactivityPurses, tiers, ...codes };
}

function metricsOf(drafts: readonly RuleDefinition[]): string[] {
  const actions = drafts.flatMap((draft) => draft.actions);
  return [...new Set(actions.flatMap((action) => (action.type === 'addMetric' ? [action.metric] : [])))];
}
