import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences, RuleReferences } from '#engine/rules/format/ruleReferences';
import { builtInChannelTypes, ruleActivityTypes } from '#records/activities/activity';
import { enumResource } from '#records/catalog/enumValue';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { type Product, productResource } from '#records/catalog/product';
import { segmentResource } from '#records/catalog/segment';
import { type Offer, offerResource } from '#records/offers/offer';
import { type Reward, rewardResource } from '#records/offers/reward';
import { expiresByInactivity } from '#records/points/expiry/expiryTerms';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';

/** Reads everything of an org that its rule files may refer to. `drafts` are the rules in force. */
export async function loadRuleReferences(
  db: Connection,
  org: ObjectId,
  drafts: readonly RuleDefinition[] = [],
): Promise<RuleReferences> {
  const [programs, policies, tierPolicies, enums, segments, lists, offers, rewards, partners, products] =
    await Promise.all([
      collectionOf(db, programResource).find({ org }).sort({ code: 1 }).toArray(),
      // The primary purse first: editors propose it first.
      collectionOf(db, pursePolicyResource).find({ org }).sort({ primary: -1, name: 1 }).toArray(),
      collectionOf(db, tierPolicyResource).find({ org }).sort({ name: 1 }).toArray(),
      collectionOf(db, enumResource)
        .find({ org, type: { $in: ['ActivityType', 'ChannelType', 'SalesUOM'] } })
        .sort({ value: 1 })
        .toArray(),
      collectionOf(db, segmentResource)
        .find({ org }, { projection: { name: 1, kind: 1 } })
        .sort({ name: 1 })
        .toArray(),
      collectionOf(db, namedListResource)
        .find({ org }, { projection: { name: 1, model: 1 } })
        .sort({ name: 1 })
        .toArray(),
      collectionOf(db, offerResource).find({ org }).sort({ code: 1 }).toArray(),
      collectionOf(db, rewardResource).find({ org }).sort({ code: 1 }).toArray(),
      collectionOf(db, partnerResource)
        .find({ org }, { projection: { code: 1 } })
        .sort({ code: 1 })
        .toArray(),
      collectionOf(db, productResource)
        .find({ org }, { projection: { sku: 1, category: 1 } })
        .limit(productsMax + 1)
        .toArray(),
    ]);
  return {
    programs: programs.map((program) => programDefinition(program, policies, tierPolicies, { offers, rewards })),
    activityTypes: [...ruleActivityTypes, ...enumValues(enums, 'ActivityType')],
    codes: {
      channels: [...builtInChannelTypes, ...enumValues(enums, 'ChannelType')],
      partners: partners.map(({ code }) => code),
      ...productCodes(products),
      units: enumValues(enums, 'SalesUOM'),
    },
    segments: segments.map(({ name }) => name),
    querySegments: segments.flatMap(({ name, kind }) => (kind === 'query' ? [name] : [])),
    namedLists: lists.map(({ _id, name, model }) => ({ id: _id.toHexString(), name, ...(model ? { model } : {}) })),
    metrics: draftMetrics(drafts),
    files: filesByRule(drafts),
  };
}

/** Most products for which SKUs and categories are checked. */
const productsMax = 10_000;

/** The SKUs and categories of all products; unknown without any product, and when there are too many to look at. */
export function productCodes(
  products: readonly Pick<Product, 'sku' | 'category'>[],
): Pick<NonNullable<RuleReferences['codes']>, 'categories' | 'skus'> {
  if (products.length === 0 || products.length > productsMax) return {};
  const categories = new Set(products.flatMap(({ category }) => category ?? []));
  return { categories: [...categories].sort(), skus: products.map(({ sku }) => sku) };
}

function enumValues(enums: readonly { type: string; value: string }[], type: string): string[] {
  return enums.filter((each) => each.type === type).map(({ value }) => value);
}

/** A program as rule files refer to it. Takes only the policies, offers and rewards of this program. */
export function programDefinition(
  program: Program,
  policies: readonly PursePolicy[],
  tierPolicies: readonly TierPolicy[],
  { offers, rewards }: { offers: readonly Offer[]; rewards: readonly Reward[] },
): ProgramReferences {
  const { _id, code, timezone } = program;
  const own = <T extends { program: ObjectId }>(all: readonly T[]) => all.filter((each) => each.program.equals(_id));
  const records = {
    program,
    policies: own(policies),
    tierPolicies: own(tierPolicies),
    offers: own(offers),
    rewards: own(rewards),
  };
  const purses = records.policies.map(({ name }) => name);
  const inactivityPurses = records.policies.filter(({ expiry }) => expiresByInactivity(expiry)).map(({ name }) => name);
  const tiers = records.tierPolicies.map(({ name, levels }) => ({
    name,
    levels: levels.map((level) => ({ name: level.name, number: level.number })),
  }));
  const codes = {
    offers: records.offers.map((offer) => offer.code),
    rewards: records.rewards.map((reward) => reward.code),
  };
  return { _id, code, timezone, purses, inactivityPurses, tiers, ...codes, records };
}

function filesByRule(drafts: readonly RuleDefinition[]): Map<string, string> {
  return new Map(
    drafts.flatMap(({ programCode, key, file, row }) =>
      [key, ...(row ? [row.table] : [])].map((each) => [`${programCode} ${each}`, file] as const),
    ),
  );
}

function draftMetrics(drafts: readonly RuleDefinition[]): string[] {
  const actions = drafts.flatMap((draft) => draft.actions);
  return [...new Set(actions.flatMap((action) => (action.type === 'addMetric' ? [action.metric] : [])))];
}
