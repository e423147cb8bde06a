import type { Page } from 'playwright-core';
import { definitionNames } from '../../src/definitions/definitionNames';
import type { ConsoleWorld } from './consoleWorld';
import { memberWithPurchase } from './memberWithPurchase';

/** Pages that show what the service has, also in an org that has nothing. */
export const plainPages = [
  '/',
  '/members',
  '/members/create',
  '/rules',
  '/rules/new',
  '/rulesets',
  '/simulations',
  '/proposals',
  '/operations',
  '/operations/runs',
  '/operations/refused',
  '/operations/deliveries',
  '/operations/files',
  '/audit',
  ...definitionNames.map((name) => `/definitions/${name}`),
  '/definitions/tierpolicies/create',
];

/** Pages of one record each, in the demo org. */
export async function recordPages(world: ConsoleWorld): Promise<string[]> {
  const { member, activity, api } = await memberWithPurchase(world, 'L-PAGES', 'Ada');
  const first = async (list: string) => (await api.get(list)).body[0]._id;
  const tabs = ['activities', 'statement', 'lots', 'rewards', 'account'];
  return [
    ...tabs.map((tab) => `/members/${member._id}?show=${tab}`),
    ...['edit', 'post', 'merge'].map((page) => `/members/${member._id}/${page}`),
    ...['', '/return', '/again'].map((page) => `/activities/${activity}${page}`),
    `/definitions/programs/${await first('/programs')}`,
    `/audit/${await first('/auditlog?limit=1')}`,
    '/rules/demo/base-earn',
    '/rulesets/1',
  ];
}

/** Divides pages among windows that are open at once. A page mostly waits: for the network, or to try again. */
export function sharesOf(paths: readonly string[]): string[][] {
  const windows = 4;
  return Array.from({ length: windows }, (_none, at) => paths.filter((_path, place) => place % windows === at));
}

/** Leads an open window to a page as a link would, by way of one that reads nothing. Loading it anew takes far longer. */
export async function leadTo(page: Page, path: string): Promise<void> {
  for (const each of ['/account', path]) {
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/console${each}`);
    if (each === '/account') await page.getByRole('heading', { level: 1, name: 'Your password' }).waitFor();
  }
}
