import type { Known } from './richReferences';

/** What a field is after it was set to null: gone, or refused because every record has one. */
export const absent = Symbol('absent');
export const required = Symbol('required');
/** … or the moment at which the record was made. */
export const created = Symbol('created');

/** A field that clients may change: its value, another value, and what null makes of it (else its default). */
export type RichField = readonly [value: unknown, other: unknown, cleared: unknown];

/** A record with a value in every field, as docs/design/definitions.md, members.md, offers.md … name the fields. */
export interface Rich {
  path: string;
  fields: Record<string, RichField>;
  /** Fields that only a creation sets. */
  fixed?: Record<string, unknown>;
  /** Fields that no answer shows. */
  secret?: Record<string, RichField>;
  /** Fields that other tests change. */
  elsewhere?: readonly string[];
}

const effective: RichField = [
  { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
  { from: '2025-01-01T00:00:00.000Z' },
  absent,
];
const ext: RichField = [{ colour: 'blue', sizes: [1, { eu: 38 }], at: '2026-01-01' }, { colour: 'red' }, absent];
const duration: RichField = [{ value: 1, unit: 'year' }, { value: 2, unit: 'month' }, absent];
const address: RichField = [{ city: 'Oslo', lines: ['1'] }, { city: 'Rome' }, absent];
const tags: RichField = [['a', 'b'], ['c'], absent];

const criteria = (sku: string) => ({ sku: { isIncluded: true, type: 'String', searchStr: sku, ids: [] } });

function offerFields({ list }: Known, code: string): Record<string, RichField> {
  const filter = {
    isDisabled: false,
    isIncluded: true,
    isORQuery: false,
    isWildCardSearch: true,
    inclusionParams: criteria('TEA-*'),
    inclusionparamsnamedList: list,
  };
  return {
    code: [code, `${code}-2`, required],
    name: ['Tea', 'Coffee', required],
    effective,
    productFilter: [filter, { inclusionParams: JSON.stringify(criteria('MILK-1')) }, absent],
    locationFilter: [{ inclusionParams: { tags: { searchStr: 'a' } } }, { isDisabled: true }, absent],
    discount: [{ type: 'percent', value: 12.5, max: 300 }, { type: 'points', value: 5 }, absent],
    uses: [{ total: 10, perMember: 1 }, { total: 5 }, absent],
    stackGroup: ['drinks', 'food', absent],
    perLine: [true, false, absent],
    excludes: [{ all: true }, { all: false, stackGroups: ['food'] }, absent],
    priority: [7, 0, absent],
    ext,
  };
}

function definitionsOf(known: Known): Rich[] {
  const { program, products, extSchema } = known;
  return [
    {
      path: 'programs',
      fixed: { code: 'rich' },
      fields: {
        name: ['Rich', 'Richer', required],
        status: ['Paused', 'Closed', 'Active'],
        timezone: ['Europe/Paris', 'Asia/Tokyo', 'UTC'],
        currencyCode: ['EUR', 'USD', absent],
        offerLimits: [{ perActivity: 3, perLine: 1 }, { perLine: 2 }, absent],
        effective,
        ext,
      },
    },
    {
      path: 'pursepolicies',
      fixed: { program },
      fields: {
        name: ['Gems', 'Stars', required],
        primary: [true, false, false],
        unit: [{ one: 'gem', other: 'gems' }, { one: 'star', other: 'stars' }, absent],
        overdraftLimit: [5, 7, 0],
        clawback: ['toZero', 'pendingOnly', 'full'],
        escrow: [{ type: 'duration', value: 3, unit: 'day' }, { type: 'none' }, absent],
        expiry: [{ type: 'rolling', value: 1, unit: 'year', snap: 'endOfMonth' }, { type: 'none' }, absent],
        costPerPoint: [0.01, 2, absent],
        ext,
      },
    },
    {
      path: 'tierpolicies',
      fixed: { program },
      fields: {
        name: ['Rank', 'Class', required],
        // It needs `basis` and `expiry`, so it is cleared before them.
        lateClaims: ['ignored', 'counted', absent],
        levels: [[{ name: 'One', number: 1, threshold: 10 }], [{ name: 'Two', number: 2, threshold: 0.5 }], []],
        basis: [{ metric: 'spend', period: 'year' }, { metric: 'visits', period: 'month' }, absent],
        downgrade: ['full', 'one', 'none'],
        expiry: [{ value: 1, unit: 'year', snap: 'endOfYear' }, { value: 2, unit: 'year', snap: 'endOfYear' }, absent],
        grace: duration,
        ext,
      },
    },
    { path: 'offers', fixed: { program }, fields: offerFields(known, 'OFFER') },
    {
      path: 'rewards',
      fixed: { program },
      fields: {
        ...offerFields(known, 'REWARD'),
        cost: [{ purse: 'Points', points: 5 }, { purse: 'Points', points: 6, leastPoints: 2, pointValue: 0.5 }, absent],
        validAfter: duration,
        validFor: [{ value: 30, unit: 'day', snap: 'endOfDay' }, { value: 1, unit: 'year' }, absent],
      },
    },
    {
      path: 'namedlists',
      fields: {
        name: ['List', 'Other list', required],
        kind: ['static', 'query', 'static'],
        ids: [products, [products[1]], absent],
        query: [{ brand: { $exists: true }, name: null }, '{"brand":"Leaf"}', absent],
        ext,
      },
      fixed: { model: 'Product' },
      elsewhere: ['model'],
    },
    {
      path: 'segments',
      fields: {
        name: ['Segment', 'Other segment', required],
        kind: ['static', 'query', 'static'],
        query: [{ status: 'Active' }, '{"status":"Inactive"}', absent],
        ext,
      },
    },
    {
      path: 'extschemas',
      fields: { model: ['Product', 'LineItem', required], name: ['Schema', 'Other schema', required], ext },
    },
    {
      path: 'extdefs',
      fixed: { extSchema },
      fields: {
        field: ['weight', 'length', required],
        type: ['string', 'number', required],
        required: [true, false, false],
        enumType: ['Weight', 'Length', absent],
        pattern: ['^a', 'b$', absent],
        min: [1, 0, absent],
        max: [10, 11.5, absent],
        ext,
      },
    },
  ];
}

function catalogOf(): Rich[] {
  return [
    {
      path: 'locations',
      fields: {
        number: ['L-1', 'L-2', required],
        name: ['Shop', 'Store', required],
        timezone: ['Europe/Oslo', 'Europe/Rome', absent],
        status: ['Inactive', 'Closed', 'Active'],
        address,
        tags,
        ext,
      },
    },
    {
      path: 'products',
      fields: {
        sku: ['P-1', 'P-2', required],
        name: ['Tea', 'Milk', required],
        category: ['Drinks', 'Food', absent],
        subcategory: ['Hot', 'Cold', absent],
        brand: ['Leaf', 'Cow', absent],
        price: [1.5, 2, absent],
        excludeFromEarning: [true, false, false],
        tags,
        ext,
      },
    },
    {
      path: 'webhooks',
      fields: {
        url: ['https://8.8.8.8/a', 'https://8.8.8.8/b', required],
        events: [['points.earned'], ['tier.changed', 'points.earned'], required],
        description: ['Till', 'Shop', absent],
        status: ['Paused', 'Active', 'Active'],
      },
    },
    {
      path: 'importmappings',
      fields: {
        name: ['Till', 'Shop', required],
        kind: ['members', 'products', required],
        columns: [[{ column: 'Karte', field: 'loyaltyID' }], [{ column: 'Card', field: '#' }], absent],
        constants: [[{ field: 'program', value: 'main' }], [], absent],
        dateFormat: ['dd.MM.yyyy', 'MM/dd/yyyy', absent],
        timezone: ['Europe/Berlin', 'UTC', absent],
        decimalComma: [true, false, absent],
        amountFactor: [100, 1, absent],
        pointsFactor: [100, 0.5, absent],
      },
    },
    {
      path: 'partners',
      fields: {
        code: ['PA', 'PB', required],
        name: ['Partner', 'Mate', required],
        status: ['Inactive', 'Active', 'Active'],
        ext,
      },
    },
    {
      path: 'enums',
      fields: {
        type: ['Colour', 'Weight', required],
        value: ['Red', 'Blue', required],
        label: ['A red', 'A blue', absent],
        order: [3, 0, absent],
        ext,
      },
    },
  ];
}

function customersOf({ program, members, segments, purse }: Known): Rich[] {
  const [first, second, third] = members;
  const entry = (member: string) => ({ member, program });
  return [
    {
      path: 'users',
      secret: { password: ['correct horse battery', 'another horse battery', required] },
      fields: {
        username: ['rich', 'richer', required],
        roles: [['client', 'reader'], ['reader'], []],
        isActive: [false, true, true],
      },
    },
    {
      path: 'apikeys',
      // A key needs roles or permissions at its creation.
      fixed: { roles: ['client', 'reader'] },
      fields: {
        name: ['Till', 'Other till', required],
        permissions: [['members:read', 'activity:post'], ['members:read'], []],
        roles: [['client', 'reader'], ['reader'], []],
        expiresAt: ['2099-06-01T00:00:00.000Z', '2099-07-01T00:00:00.000Z', absent],
        rateLimit: [600, 1, absent],
      },
    },
    {
      path: 'members',
      fixed: { program, loyaltyID: 'RICH-1' },
      fields: {
        status: ['Inactive', 'Suspended', 'Active'],
        type: ['Pooled', 'Individual', 'Individual'],
        firstName: ['Ada', 'Eva', absent],
        lastName: ['Lovelace', 'Byron', absent],
        email: ['ada@example.com', 'eva@example.com', absent],
        phone: ['+47 22 22 22 22', '+39 1', absent],
        birthDate: ['1990-02-28', '1991-03-01', absent],
        locale: ['nb-NO', 'it', absent],
        enrolledAt: ['2025-06-01T10:00:00.000Z', '2025-06-02T10:00:00.000Z', created],
        enrollChannel: ['Web', 'POS', absent],
        referredBy: [first, second, absent],
        familyHead: [second, first, absent],
        segments: [segments, [segments[1]], []],
        address,
        ext,
      },
    },
    {
      path: 'accounts',
      fields: {
        members: [[entry(first), entry(second)], [entry(first), entry(second), entry(third)], required],
        // Without it, the first of members is active.
        activeMember: [second, third, first],
        ext,
      },
    },
    {
      path: 'accrualitems',
      fixed: { member: third, purse, dtEarned: '2026-01-01T00:00:00.000Z', accruedPoints: 50 },
      elsewhere: ['availablePoints', 'escrowedPoints'],
      fields: {
        dtEscrowsOn: ['2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z', required],
        dtExpiresOn: ['2027-06-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z', absent],
        ext,
      },
    },
  ];
}

/** A rich record of every resource that has a PUT. */
export function richRecords(known: Known): Rich[] {
  return [...definitionsOf(known), ...catalogOf(), ...customersOf(known)];
}
