import { earnRule, redeemRule } from '../../support/world';

/** The zone of the program: half an hour of summer time. */
export const stormZone = 'Australia/Lord_Howe';

/** The campaign has a budget of so many points, in the purse Bonus. */
export const campaignBudget = 400;
/** A member gets at most so many points a day for coming, in the purse Daily. */
export const dailyMax = 3;
/** The coupon may be used so many times. */
export const couponMax = 60;

export const stormPolicies = [{}, { name: 'Bonus' }, { name: 'Daily' }];

const campaignRule = {
  ...earnRule,
  key: 'campaign',
  conditions: { all: [{ fact: 'activity', path: '$.ext.isCampaign', operator: 'equal', value: true }] },
  actions: [{ type: 'addPoints', purse: 'Bonus', points: 1 }],
  limits: [{ what: 'points', per: 'program', period: 'lifetime', max: campaignBudget, onExceed: 'reduce' }],
};

const dailyRule = {
  ...earnRule,
  key: 'daily',
  actions: [{ type: 'addPoints', purse: 'Daily', points: 1 }],
  limits: [{ what: 'points', per: 'member', period: 'day', max: dailyMax, onExceed: 'reduce' }],
};

/** The rules of the program. */
export const stormRules = [earnRule, redeemRule, campaignRule, dailyRule];
