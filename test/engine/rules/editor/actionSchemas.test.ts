import { ruleJsonSchema } from '#engine/rules/editor/ruleJsonSchema';
import { quickAjv } from '../../../support/quickAjv';
import { base, definitions } from '../sampleRules';

const programs = definitions.programs.map((program) => ({ ...program, rewards: ['MUG', 'PEN'] }));
const compile = (schema: object) => quickAjv({ formats: { date: true } }).compile(schema);
const fits = compile(ruleJsonSchema({ ...definitions, programs }));
const fitsAnyOrg = compile(ruleJsonSchema());

it.each<[string, string, object, unknown, unknown]>([
  ['purse', 'addPoints', { points: 1 }, 'Points', 'Bottles'],
  ['purse', 'redeemPoints', { points: 1 }, 'Points', 'Bottles'],
  ['purse', 'transferPoints', { points: 1, toMember: { loyaltyID: 'B' } }, 'Points', 'Bottles'],
  ['toPurse', 'transferPoints', { points: 1, purse: 'Points' }, 'Bonus Points', 'Bottles'],
  ['purse', 'completeReferral', { points: 1 }, 'Points', 'Bottles'],
  ['reward', 'issueReward', {}, 'MUG', 'CUP'],
  ['rewards', 'issueChoice', {}, ['MUG', 'PEN'], ['MUG', 'CUP']],
  ['default', 'issueChoice', { rewards: ['MUG', 'PEN'] }, 'PEN', 'CUP'],
  ['offer', 'applyOffer', {}, 'SUMMER', 'WINTER'],
  ['segment', 'addSegment', {}, 'VIP', 'Locals'],
  ['segment', 'removeSegment', {}, 'VIP', 'French'],
  ['policy', 'setTier', { level: 'Gold', until: '2027-12-31' }, 'Status', 'Rank'],
  ['level', 'setTier', { policy: 'Status', until: '2027-12-31' }, 'Gold', 'Iron'],
])('the schema of an org accepts its own names for "%s" of %s, and no others', (field, type, others, own, other) => {
  const withName = (name: unknown) => ({ ...base, actions: [{ type, ...others, [field]: name }] });
  expect(fits(withName(own))).toBe(true);
  expect(fits(withName(other))).toBe(false);
  expect(fitsAnyOrg(withName(other))).toBe(true);
});
