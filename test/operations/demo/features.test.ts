import path from 'node:path';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { readRules } from '#engine/rules/read/readRules';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { readFiles } from '#publishing/rulesets/files/readFiles';

let rules: RuleDefinition[];
beforeAll(async () => {
  const { files } = await readFiles(path.resolve(__dirname, '../../../rules'), ['demo']);
  rules = (await readRules(files, demoRuleReferences())).rules;
});

/** Tells whether the JSON text of a rule, without its tests, matches. */
const says = (text: string | RegExp) => (rule: RuleDefinition) => {
  const { tests: _tests, ...written } = rule;
  return new RegExp(text).test(JSON.stringify(written));
};

test.each<[string, string, string, (rule: RuleDefinition) => boolean]>([
  ['base earn', 'base-earn.json', 'base-earn', says('"of":{"fact":"activity","path":"\\$.value"},"times":1')],
  ['category bonus with a product filter', 'category-bonus.json', 'tea-bonus', says('"filter":.*"category"')],
  ['bonus for each item that fits', 'coffee-double.json', 'coffee-double', ({ perLine }) => perLine === true],
  ['tier multiplier', 'tier-bonus.json', 'gold-multiplier', ({ tiers }) => tiers?.[0] === 'Gold'],
  ['birthday bonus', 'birthday.json', 'birthday', says('"fact":"isBirthday"')],
  ['first purchase', 'first-purchase.json', 'first-purchase', says('"fact":"isFirstActivity"')],
  ['weekend hours', 'app-campaigns.json', 'app-happy-hour', ({ hours }) => hours?.days?.join() === 'Sat,Sun'],
  ['spend threshold in a month', 'month-spend.json', 'month-spend', says('"metric":"spend","period":"month"')],
  ['cap per day', 'base-earn.json', 'base-earn', says('"what":"points","per":"member","period":"day","max":500')],
  ['campaign with a budget', 'app-campaigns.json', 'app-launch', ({ budget }) => budget?.points === 100_000],
  ['referral both sides', 'referral.json', 'referral', says('"points":100,"referrerPoints":200')],
  ['redemption', 'redeem.json', 'redeem', says('"type":"redeemPoints"')],
  ['redemption for a reward', 'coffee.json', 'coffee', says('"type":"issueReward"')],
  ['partner earn', 'partner-fuel.json', 'partner-fuel', says('"\\$.partnerCode"')],
  ['escrowed promotion', 'escrowed-promo.json', 'phone-promo', says('"escrow":{"type":"duration","value":30')],
  ['the best of a group', 'group-highest.json', 'phone-flat', ({ pick }) => pick === 'highest'],
  ['the other of the group', 'group-highest.json', 'phone-share', ({ group }) => group === 'phone'],
  ['refusal of an activity', 'value-check.json', 'value-check', says('"type":"reject"')],
  ['a metric of its own', 'online-spend.json', 'online-spend', says('"type":"addMetric"')],
  ['an offer without a code', 'welcome-offer.json', 'welcome-offer', says('"type":"applyOffer"')],
])('%s is shown in rules/demo/%s by the rule %s, with a test', (_, file, key, shows) => {
  const rule = rules.find((each) => each.key === key);
  expect(rule?.file).toBe(`demo/${file}`);
  expect(rule && shows(rule)).toBe(true);
  expect(rule?.status).toBe('active');
  expect(rule?.tests?.some(({ expect: wanted }) => wanted.fired?.includes(key) || wanted.error !== undefined)).toBe(
    true,
  );
});
