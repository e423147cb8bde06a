import type { ChangedCopy } from './changedCopy';

/** Adds an endpoint: one object, and the file of its use case. */
export function addEndpoint(copy: ChangedCopy): void {
  copy.add(
    'src/members/members/countMembers.ts',
    `import type { ObjectId } from 'bson';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';

export async function countMembers({ db }: Pick<Infrastructure, 'db'>, org: ObjectId): Promise<number> {
  return collectionOf(db, memberResource).countDocuments({ org });
}
`,
  );
  copy.addImport('src/members/members/routes.ts', `import { countMembers } from './countMembers';`);
  copy.addLine(
    'src/members/members/routes.ts',
    'export const memberRoutes: Route[] = [',
    `  defineRoute({
    method: 'GET',
    path: '/membertotal',
    permission: 'members:read',
    summary: 'Count the members',
    responses: { 200: Type.Object({ total: Type.Integer() }) },
    handle: async ({ services, principal }) =>
      ok({ total: await countMembers(services, principal.org) }),
  }),`,
  );
}

/** Adds a resource: one file, a line in the list of resources, and one with its shard key. */
export function addResource(copy: ChangedCopy): void {
  copy.add(
    'src/records/catalog/voucher.ts',
    `import { text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

export const voucherResource = defineResource({
  name: 'Voucher',
  path: 'vouchers',
  access: 'managed',
  tag: 'Catalog',
  fields: { code: text(50) },
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});
`,
  );
  copy.addImport('src/server/services/resources.ts', `import { voucherResource } from '#records/catalog/voucher';`);
  copy.addLine(
    'src/server/services/resources.ts',
    'export const resources: readonly Resource[] = [',
    '  voucherResource,',
  );
  copy.addLine('src/operations/sharding/shardKeys.ts', '  programs: byOrg,', '  vouchers: byOrg,');
}

/** Adds a period of aggregates: one row. */
export function addPeriod(copy: ChangedCopy): void {
  copy.addLine(
    'src/base/calendar/periods.ts',
    'const monthPeriods = [',
    `  { name: 'seasonal', unit: 'season', months: 4, model: 'SeasonAggregate', path: 'seasonaggregates', of: 'Season' },`,
  );
}

/** Adds a rule action: one definition, and a line in the list of actions. */
export function addAction(copy: ChangedCopy): void {
  copy.add(
    'src/engine/rules/actions/donatePoints.ts',
    `import { text } from '#base/schema/atoms';
import { amount, computeAmount } from '../language/amount';
import { pointsText } from '../words/amountText';
import { defineAction } from './action';

export const donatePoints = defineAction({
  type: 'donatePoints',
  description: 'Takes points for a good cause, and counts them',
  params: { purse: text(100, { description: 'Whose points' }), points: amount },
  amounts: ['points'],
  names: ({ purse }) => [{ at: 'purse', kind: 'purse', name: purse }],
  needs: () => ({ items: true }),
  points: 'redeemed',
  onCancel: 'returned',
  words: { en: ({ points }) => \`donate \${pointsText(points)}\` },
  effects: ({ type, purse, points }, { readFact, position: n }) => [{ type, purse, points: computeAmount(points, readFact), n }],
  apply: (target, effect, rule) =>
    target.redeemPoints(effect, rule) ??
    target.addMetric({ type: effect.type, metric: 'donated', value: effect.points }, rule),
});
`,
  );
  copy.addImport('src/engine/rules/actions/list.ts', `import { donatePoints } from './donatePoints';`);
  copy.addLine('src/engine/rules/actions/list.ts', 'export const actionDefinitions = {', '  donatePoints,');
}

/** Adds a way in which points expire: one entry. It has a field of its own, and no German words. */
export function addExpiryKind(copy: ChangedCopy): void {
  copy.addLine(
    'src/records/points/expiry/expiryKinds.ts',
    'export const expiryKinds = {',
    `  saturdays: defineExpiryKind({
    label: { en: 'Saturdays' },
    description: { en: 'when so many Saturdays have ended' },
    fields: { saturdays: Type.Integer({ minimum: 1, maximum: 100, description: 'Of saturdays: how many' }) },
    needs: ['saturdays'],
    date: (from, { saturdays }, timezone) =>
      snappedEnd(from, { value: saturdays - 1, unit: 'week', snap: 'endOfWeek' }, timezone),
    words: { en: ({ saturdays }) => \`expiry after Saturday number \${saturdays}\` },
  }),`,
  );
}

/** Adds a field of a resource: one line, with its label and help. */
export function addField(copy: ChangedCopy): void {
  copy.addLine(
    'src/records/programs/pursePolicy.ts',
    "    program: objectId('Program'),",
    `    slogan: Type.Optional(text(40, inForms({ label: { en: 'Slogan', de: 'Werbespruch' }, help: { en: 'What the shop says of it' } }))),`,
  );
}
