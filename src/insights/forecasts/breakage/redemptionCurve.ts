/** What happened to the points of one month of award in one later month. */
export interface CohortMonth {
  /** Months since the award: 0 is the month of the award itself. */
  age: number;
  /** Points that could be redeemed in that month. */
  atRisk: number;
  /** Points redeemed in it; negative when cancels gave more back. */
  redeemed: number;
}

/** How likely points are redeemed in a month, by the months since their award. */
export interface RedemptionCurve {
  /** One entry an age, from 0 on without a gap. */
  ages: readonly Readonly<CohortMonth & { share: number }>[];
  /** The share of points redeemed in a month at ages without history. */
  later: number;
}

/** Most months of history that are used. */
export const historyMonthsMax = 36;

/** Months at the end of the curve. Their mean is used for later ages. */
const tailMonths = 6;

/**
 * The redemption curve of the history of a purse. Points that have not ended yet count as long as they were there (an
 * estimate of Kaplan and Meier), so recent awards do not make redemption look rare.
 * @returns undefined without history, that is when no points could be redeemed
 */
export function redemptionCurve(history: readonly CohortMonth[]): RedemptionCurve | undefined {
  const last = Math.max(-1, ...history.map(({ age }) => age));
  const ages = Array.from({ length: last + 1 }, (_, age) => {
    const own = history.filter((month) => month.age === age);
    const atRisk = sumMonths(own, 'atRisk');
    const redeemed = Math.max(0, sumMonths(own, 'redeemed'));
    return { age, atRisk, redeemed, share: atRisk > 0 ? Math.min(1, redeemed / atRisk) : 0 };
  });
  if (!ages.some(({ atRisk }) => atRisk > 0)) return undefined;
  const tail = ages.slice(-tailMonths);
  const atRisk = sumMonths(tail, 'atRisk');
  return { ages, later: atRisk > 0 ? Math.min(1, sumMonths(tail, 'redeemed') / atRisk) : 0 };
}

function sumMonths(months: readonly CohortMonth[], field: 'atRisk' | 'redeemed'): number {
  return months.reduce((sum, month) => sum + month[field], 0);
}

/**
 * The share, 0 to 1, of points that will not be redeemed between two ages.
 * @param from age now: months since the beginning of the month of their award, with a fraction
 * @param to the age at which they expire
 */
export function unredeemedShare({ ages, later }: RedemptionCurve, from: number, to: number): number {
  let share = 1;
  for (let at = Math.max(0, from); at < to; ) {
    const next = Math.min(to, Math.floor(at) + 1);
    share *= (1 - (ages[Math.floor(at)]?.share ?? later)) ** (next - at);
    at = next;
  }
  return share;
}
