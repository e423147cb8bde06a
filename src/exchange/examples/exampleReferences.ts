import type { ObjectId } from 'bson';
import type { DocOf } from '#base/schema/resource';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { productCodes, programDefinition } from '#publishing/rulesets/loadRuleReferences';
import { builtInChannelTypes, ruleActivityTypes } from '#records/activities/activity';
import type { enumResource } from '#records/catalog/enumValue';
import type { NamedList } from '#records/catalog/namedList';
import type { Partner } from '#records/catalog/partner';
import type { Product } from '#records/catalog/product';
import type { Segment } from '#records/catalog/segment';
import type { Offer } from '#records/offers/offer';
import type { Reward } from '#records/offers/reward';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { ExampleRecord } from './exampleRecords';

/** What the rule files of an example may name: its own records and nothing else. */
export function exampleReferences(records: readonly ExampleRecord[]): RuleReferences {
  const all = <T>(model: string) =>
    records
      .filter(({ definition }) => definition.resource.name === model)
      .map(({ record }) => record as unknown as T & { _id: ObjectId });
  const enums = all<DocOf<typeof enumResource>>('Enum');
  const valuesOf = (enumType: string) => enums.flatMap(({ type, value }) => (type === enumType ? [value] : []));
  const segments = all<Segment>('Segment');
  const coded = { offers: all<Offer>('Offer'), rewards: all<Reward>('Reward') };
  return {
    programs: all<Program>('Program').map((program) =>
      programDefinition(program, all<PursePolicy>('PursePolicy'), all<TierPolicy>('TierPolicy'), coded),
    ),
    activityTypes: [...ruleActivityTypes, ...valuesOf('ActivityType')],
    codes: {
      channels: [...builtInChannelTypes, ...valuesOf('ChannelType')],
      partners: all<Partner>('Partner').map(({ code }) => code),
      ...productCodes(all<Product>('Product')),
      units: valuesOf('SalesUOM'),
    },
    segments: segments.map(({ name }) => name),
    querySegments: segments.flatMap(({ name, kind }) => (kind === 'query' ? [name] : [])),
    namedLists: all<NamedList>('NamedList').map(({ _id, name, model }) => ({
      id: _id.toHexString(),
      name,
      ...(model ? { model } : {}),
    })),
    metrics: [],
  };
}
