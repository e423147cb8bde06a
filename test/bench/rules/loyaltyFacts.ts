/** Makes the facts of the n-th purchase, by name. Two purchases in a row differ in every fact that rules read. */
export function loyaltyFacts(n: number): Readonly<Record<string, unknown>> {
  const lineItems = Array.from({ length: 1 + (n % 4) }, (_unused, line) => ({
    itemSKU: `sku-${(n * 7 + line * 31) % 400}`,
    quantity: 1 + ((n + line) % 4),
    itemPrice: 10 + ((n * line) % 90),
  }));
  return {
    activity: {
      type: 'Accrual',
      date: new Date(Date.UTC(2026, n % 12, 1 + (n % 27), n % 24)),
      srcChannelType: ['Web', 'Mobile', 'POS', 'CallCenter', 'Partner'][n % 5],
      srcChannelID: `store-${(n * 11) % 300}`,
      value: (n * 53) % 700,
      currencyCode: n % 9 === 0 ? 'EUR' : 'USD',
      ...(n % 6 === 0 ? { partnerCode: `partner-${(n * 3) % 100}` } : {}),
      ...(n % 10 === 0 ? { couponCode: `coupon-${n % 2000}` } : {}),
      lineItems,
    },
    member: {
      segments: [`segment-${n % 60}`, ...(n % 20 === 0 ? ['Staff'] : [])],
      tier: { Main: ['Bronze', 'Silver', 'Gold', 'Platinum'][n % 4] },
      purse: { Points: { availBalance: (n * 97) % 8000 } },
      ext: { averageSpend: 50 + ((n * 17) % 300) },
    },
    isBirthday: n % 365 === 0,
    dayOfWeek: n % 7,
    hour: n % 24,
  };
}
