/** What a new rule may begin with. Each is a whole rule that can be published, with values to be changed. */
export const templateNames = [
  'base',
  'product',
  'day',
  'level',
  'welcome',
  'birthday',
  'goal',
  'stamps',
  'winBack',
  'partner',
  'empty',
] as const;

export type TemplateName = (typeof templateNames)[number];

/** What a template takes from the program: the purse that it fills, and a level that it may be for. */
export interface TemplateNeeds {
  purse: string;
  level: string | undefined;
}

/** The fields of a rule of a template, besides its key, name and status. */
export function templateRule(name: TemplateName, { purse, level }: TemplateNeeds): Record<string, unknown> {
  const points = (amount: unknown) => [{ type: 'addPoints', purse, points: amount }];
  const purchase = { activityTypes: ['Accrual'], priority: 10 };
  switch (name) {
    case 'base':
      return { ...purchase, conditions: { all: [] }, actions: points({ of: wholeValue, times: 1 }) };
    case 'product':
      return {
        ...purchase,
        perLine: true,
        conditions: { all: [{ fact: 'product', path: '$.category', operator: 'in', value: ['Coffee'] }] },
        actions: points({ of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 }),
        limits: [{ what: 'points', per: 'member', period: 'month', max: 500, onExceed: 'reduce' }],
      };
    case 'day':
      return {
        ...purchase,
        hours: { days: ['Tue'] },
        conditions: { all: [] },
        actions: points({ of: wholeValue, times: 1 }),
      };
    case 'level':
      return {
        ...purchase,
        ...(level === undefined ? {} : { tiers: [level] }),
        conditions: { all: [] },
        actions: points({ of: wholeValue, times: 0.5 }),
      };
    case 'welcome':
      return { activityTypes: ['MemberEnrolled'], priority: 10, conditions: { all: [] }, actions: points(100) };
    case 'birthday':
      return {
        activityTypes: ['Birthday'],
        schedule: { at: '09:00' },
        priority: 10,
        conditions: { all: [] },
        actions: points(200),
        limits: [once('year')],
      };
    case 'goal':
      return {
        ...purchase,
        conditions: { all: [crossed('spend', 'month', { at: [300] })] },
        actions: points(250),
        limits: [once('month')],
      };
    case 'stamps':
      return {
        ...purchase,
        conditions: { all: [crossed('visits', 'lifetime', { every: 10 })] },
        actions: points(500),
      };
    case 'winBack':
      return {
        ...purchase,
        conditions: {
          all: [{ fact: 'daysSince', params: { of: 'lastVisit' }, operator: 'greaterThanInclusive', value: 60 }],
        },
        actions: points(300),
      };
    case 'partner':
      return {
        ...purchase,
        conditions: { all: [{ fact: 'activity', path: '$.partnerCode', operator: 'in', value: ['FUEL'] }] },
        actions: points({ of: wholeValue, times: 1 }),
      };
    case 'empty':
      return { activityTypes: ['Accrual'], priority: 1, conditions: { all: [] }, actions: [] };
    default:
      return name satisfies never;
  }
}

const wholeValue = { fact: 'activity', path: '$.value' };

function once(period: string) {
  return { what: 'times', per: 'member', period, max: 1, onExceed: 'skip' };
}

function crossed(metric: string, period: string, where: object) {
  return { fact: 'crossed', params: { metric, period, ...where }, operator: 'greaterThan', value: 0 };
}
