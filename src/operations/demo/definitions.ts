import type { NewMember } from '#members/members/memberBody';
import type { Location } from '#records/catalog/location';
import type { Partner } from '#records/catalog/partner';
import type { Product } from '#records/catalog/product';
import type { Offer } from '#records/offers/offer';
import type { Reward } from '#records/offers/reward';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** The demo program. Its time zone is not UTC, so that the demo shows days as a real program has them. */
export const demoProgram = {
  code: 'demo',
  name: 'Demo Rewards',
  status: 'Active',
  timezone: 'America/New_York',
  currencyCode: 'USD',
} satisfies Partial<Program>;

type DemoPolicy = Omit<PursePolicy, '_id' | 'org' | 'program' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'>;

/** Its purses: points that are available at once, and bonus points with an escrow of 14 days. */
export const demoPolicies: readonly DemoPolicy[] = [
  {
    name: 'Points',
    primary: true,
    unit: { one: 'point', other: 'points' },
    overdraftLimit: 0,
    clawback: 'full',
    expiry: { type: 'rolling', value: 1, unit: 'year', snap: 'endOfMonth' },
    costPerPoint: 0.01,
  },
  {
    name: 'Bonus Points',
    primary: false,
    unit: { one: 'bonus point', other: 'bonus points' },
    overdraftLimit: 0,
    clawback: 'pendingOnly',
    escrow: { type: 'duration', value: 14, unit: 'day' },
    expiry: { type: 'rolling', value: 90, unit: 'day', snap: 'endOfDay' },
    costPerPoint: 0.01,
  },
];

type DemoTierPolicy = Omit<
  TierPolicy,
  '_id' | 'org' | 'program' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'
>;

/**
 * Its tier policy: levels by the spend of a year. A level lasts a year; a member then goes down by one level at most.
 */
export const demoTierPolicies: readonly DemoTierPolicy[] = [
  {
    name: 'Status',
    levels: [
      { name: 'Silver', number: 1, threshold: 500 },
      { name: 'Gold', number: 2, threshold: 2000 },
    ],
    basis: { metric: 'spend', period: 'year' },
    downgrade: 'one',
    expiry: { value: 1, unit: 'year' },
    grace: { value: 1, unit: 'month' },
  },
];

/** Enum values beside the built-in ones: an activity type, a channel, and a sequence for autoIncrement. */
export const demoEnums = [
  { type: 'ActivityType', value: 'Review', label: 'Product review', order: 1 },
  { type: 'ChannelType', value: 'Kiosk', label: 'Self-service kiosk', order: 1 },
  { type: 'SequenceName', value: 'ReceiptNumber', label: 'Numbers of receipts', order: 1 },
] as const;

type Common = '_id' | 'org' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy';

/** A partner whose customers earn more. */
export const demoPartners: readonly Omit<Partner, Common>[] = [{ code: 'FUEL', name: 'Fuel & Go', status: 'Active' }];

export const demoOffers: readonly Omit<Offer, Common | 'program'>[] = [
  {
    code: 'WELCOME10',
    name: 'Ten percent off',
    discount: { type: 'percent', value: 10, max: 2000 },
    uses: { perMember: 1 },
    stackGroup: 'welcome',
  },
];

export const demoRewards: readonly Omit<Reward, Common | 'program'>[] = [
  {
    code: 'COFFEE',
    name: 'A cup of coffee',
    cost: { purse: 'Points', points: 50 },
    uses: { total: 100_000 },
  },
];

/** A store. A till sends its number as srcChannelID. */
export const demoLocations: readonly Omit<Location, Common>[] = [
  { number: '17', name: 'Main Street', timezone: 'America/New_York', tags: ['flagship'], status: 'Active' },
];

/** The products that line items name by itemSKU. The gift card is excluded from earning. */
export const demoProducts: readonly Omit<Product, Common>[] = [
  { sku: 'ESP-1', name: 'Espresso beans', category: 'Coffee', brand: 'Altura', price: 12, excludeFromEarning: false },
  { sku: 'TEA-1', name: 'Green tea', category: 'Tea', brand: 'Sencha House', price: 9, excludeFromEarning: false },
  { sku: 'MUG-1', name: 'Mug', category: 'Kitchen', price: 8, excludeFromEarning: false },
  { sku: 'GIFT-25', name: 'Gift card', category: 'Tea', price: 25, excludeFromEarning: true },
];

type DemoMember = Omit<NewMember, 'program'> & { loyaltyID: string };

/** Three members. The first has no birthday, so that examples with this member give the same result on every day. */
export const demoMembers: readonly DemoMember[] = [
  {
    loyaltyID: 'L-1001',
    firstName: 'Amelia',
    lastName: 'Novak',
    email: 'amelia.novak@example.com',
    locale: 'en-US',
    enrollChannel: 'Web',
  },
  {
    loyaltyID: 'L-1002',
    firstName: 'Daniel',
    lastName: 'Okafor',
    email: 'daniel.okafor@example.com',
    phone: '+1 555 0102',
    birthDate: '1988-04-12',
    enrollChannel: 'POS',
  },
  {
    loyaltyID: 'L-1003',
    firstName: 'Sofía',
    lastName: 'Marín',
    email: 'sofia.marin@example.com',
    birthDate: '1995-11-30',
    locale: 'es-ES',
    enrollChannel: 'Mobile',
  },
];

/** The members of the demo account, a household. The first is the active member. */
export const demoHousehold = ['L-1001', 'L-1002'] as const;
