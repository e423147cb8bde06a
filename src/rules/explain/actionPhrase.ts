import type { Amount } from '../language/amount';
import { amountPhrase, plural } from './amountPhrase';
import { wordsOf } from './factPhrase';
import { valueText } from './valueText';

type Params = Readonly<Record<string, unknown>>;

/** An action in words: `add 10 points to the purse "Points"`. An action of another version is named with its params. */
export function actionPhrase({ type, ...params }: { type: string }): string {
  const given: Params = params;
  return phrases.get(type)?.(given) ?? `${wordsOf(type)}${paramsText(given)}`;
}

const phrases: ReadonlyMap<string, (params: Params) => string> = new Map([
  ['addPoints', (p: Params) => `add ${pointsOf(p.points)} to the purse ${valueText(p.purse)}${termsOf(p)}`],
  ['redeemPoints', (p: Params) => `redeem ${pointsOf(p.points)} from the purse ${valueText(p.purse)}`],
  [
    'transferPoints',
    (p: Params) => `transfer ${pointsOf(p.points)} from the purse ${valueText(p.purse)}${receiver(p)}`,
  ],
  ['addMetric', (p: Params) => `add ${amountText(p.value)} to the metric ${valueText(p.metric)}`],
  ['setTier', (p: Params) => `set the level in ${valueText(p.policy)} to ${valueText(p.level)}`],
  ['issueReward', (p: Params) => `issue the reward ${valueText(p.reward)}`],
  ['applyOffer', (p: Params) => `apply the offer ${valueText(p.offer)}`],
  ['completeReferral', (p: Params) => `complete the referral, in the purse ${valueText(p.purse)}${referralOf(p)}`],
  ['addSegment', (p: Params) => `put the member into the segment ${valueText(p.segment)}`],
  ['removeSegment', (p: Params) => `take the member out of the segment ${valueText(p.segment)}`],
  [
    'setExt',
    (p: Params) => `set extension fields of the ${valueText(p.on).replaceAll('"', '')}: ${valueText(p.values)}`,
  ],
  ['lookupProducts', () => 'put the products into the line items'],
  ['setData', (p: Params) => `set in the result's data: ${valueText(p.values)}`],
  ['reject', (p: Params) => `reject the activity: ${valueText(p.message)}`],
  ['log', (p: Params) => `log ${valueText(p.message)}`],
]);

function referralOf({ points, referrerPoints }: Params): string {
  const own = points === undefined ? '' : `, ${pointsOf(points)} to the member`;
  return referrerPoints === undefined ? own : `${own}, ${pointsOf(referrerPoints)} to who referred it`;
}

function receiver({ toPurse, toMember }: Params): string {
  return toPurse === undefined ? ` to the member ${valueText(toMember)}` : ` to the purse ${valueText(toPurse)}`;
}

function termsOf({ escrow, expiry }: Params): string {
  const terms = [escrow && `escrow ${valueText(escrow)}`, expiry && `expiry ${valueText(expiry)}`].filter(Boolean);
  return terms.length === 0 ? '' : ` (${terms.join(', ')})`;
}

function pointsOf(points: unknown): string {
  return typeof points === 'number' ? plural(points, 'point') : `points, ${amountText(points)},`;
}

function amountText(value: unknown): string {
  return isAmount(value) ? amountPhrase(value) : valueText(value);
}

function paramsText(params: Params): string {
  const told = Object.entries(params).map(([name, value]) => `${wordsOf(name)} ${amountText(value)}`);
  return told.length === 0 ? '' : `: ${told.join(', ')}`;
}

function isAmount(value: unknown): value is Amount {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return 'of' in value && ('times' in value || 'every' in value);
}
