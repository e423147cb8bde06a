import { addressParts } from '../../definitions/inputs/addressParts';
import type { ApiDocument } from '../../definitions/schema/document';
import { createFields, type Field, type Shape, shownFields } from '../../definitions/schema/shape';

/** The kinds of rows that an import may have. */
export const importKinds = ['members', 'accrualitems', 'activities', 'products', 'locations', 'coupons'] as const;

export type ImportKind = (typeof importKinds)[number];

/** How a cell is written, as far as the form can help with it. */
export type CellForm = 'text' | 'number' | 'amount' | 'points' | 'moment' | 'day';

/** What the columns of a kind of import may be. */
export interface ImportFields {
  /** The form of each field, by the name that a column has for it. */
  forms: ReadonlyMap<string, CellForm>;
  /** Fields of records that only the service writes: columns with these names are left out by the service. */
  notRead: ReadonlySet<string>;
  /** The fields without which no row can be read: one of each list. */
  required: readonly (readonly string[])[];
  /** How the names of further columns begin that the service knows. */
  prefixes: readonly string[];
  /** The purse of points that name none: the only one, or the primary one. */
  purse: string | undefined;
}

/** The records of an org that columns may name, such as the purses in `balance:<purse>`. */
export interface OrgNames {
  purses: readonly string[];
  /** The primary purses of its programs. */
  primary?: readonly string[];
  tiers: readonly string[];
  /** The paths of its extension fields for this kind, such as `ext.shoeSize`. */
  ext: ReadonlyMap<string, CellForm>;
}

/** The parts of an address that the console writes; an import takes any other name within `address` too. */
const addressFields = addressParts({}).map(({ name }) => `address.${name}`);

/** What differs by kind from the body that creates one record (docs/design/bulk.md). */
const kindRules: Record<ImportKind, { path: string; record: string; required: string[][]; more?: string[] }> = {
  members: { path: 'members', record: 'members', required: [['loyaltyID'], ['program']], more: addressFields },
  accrualitems: {
    path: 'accrualitems',
    record: 'accrualitems',
    more: ['loyaltyID', 'externalId'],
    required: [['externalId'], ['loyaltyID', 'member'], ['purse'], ['accruedPoints']],
  },
  activities: { path: 'activity', record: 'activityhistories', required: [['externalTxnId'], ['type']] },
  products: { path: 'products', record: 'products', required: [['sku']] },
  locations: { path: 'locations', record: 'locations', required: [['number']], more: addressFields },
  coupons: {
    path: '',
    record: 'issuedrewards',
    more: ['code', 'loyaltyID', 'member', 'reward'],
    required: [['code'], ['loyaltyID', 'member'], ['reward']],
  },
};

const couponDates = ['validFrom', 'validUntil'];
const pointFields: ReadonlySet<string> = new Set(['accruedPoints', 'payPoints']);
const amountFields: Partial<Record<ImportKind, string>> = { activities: 'value' };

/** The fields of a kind of import, as the document of the service and the definitions of the org tell them. */
export function importFieldsOf(
  document: ApiDocument,
  kind: ImportKind,
  { purses, primary = [], tiers, ext }: OrgNames,
): ImportFields {
  const { path, record, required, more = [] } = kindRules[kind];
  const created = createFields(document, path);
  const body = created.flatMap((field) => cellsOf(field));
  const hasExt = created.some(({ name }) => name === 'ext');
  const own: [string, CellForm][] =
    kind === 'members'
      ? [
          ...purses.map((name): [string, CellForm] => [`balance:${name}`, 'points']),
          ...tiers.map((name): [string, CellForm] => [`tier:${name}`, 'text']),
          ...tiers.map((name): [string, CellForm] => [`tierUntil:${name}`, 'moment']),
        ]
      : [];
  const dates: [string, CellForm][] = kind === 'coupons' ? couponDates.map((name) => [name, 'moment']) : [];
  const texts = more.map((name): [string, CellForm] => [name, 'text']);
  const amount = amountFields[kind];
  const amounts: [string, CellForm][] = amount === undefined ? [] : [[amount, 'amount']];
  const forms = new Map<string, CellForm>([...texts, ...body, ...amounts, ...dates, ...own, ...(hasExt ? ext : [])]);
  const notRead = shownFields(document, record).map(({ name }) => name);
  const free = [...(hasExt ? ['ext.'] : []), ...(forms.has('address') ? ['address.'] : [])];
  const prefixes = kind === 'members' ? [...free, 'balance:', 'tier:', 'tierUntil:'] : free;
  return {
    forms,
    required,
    prefixes,
    purse: onlyOne(purses) ?? onlyOne(primary),
    notRead: new Set(notRead.filter((name) => !forms.has(name))),
  };
}

function onlyOne(names: readonly string[]): string | undefined {
  const [one, ...more] = new Set(names);
  return more.length === 0 ? one : undefined;
}

/** The factors that a mapping may have for a kind: those of which it has fields. */
export function factorsOf({ forms, prefixes }: ImportFields): ('amountFactor' | 'pointsFactor')[] {
  const has = (form: CellForm) => [...forms.values()].includes(form);
  return [
    ...(has('amount') ? ['amountFactor' as const] : []),
    ...(has('points') || prefixes.includes('balance:') ? ['pointsFactor' as const] : []),
  ];
}

/** The cells of a field: its own, or those of the fields in it. */
function cellsOf({ name, shape }: Field, prefix = ''): [string, CellForm][] {
  const path = prefix + name;
  const own: [string, CellForm] = [path, formOf(path, shape)];
  return shape.kind === 'object' ? [own, ...shape.fields.flatMap((field) => cellsOf(field, `${path}.`))] : [own];
}

function formOf(path: string, { kind }: Shape): CellForm {
  if (pointFields.has(path)) return 'points';
  if (kind === 'number') return 'number';
  return kind === 'moment' || kind === 'day' ? kind : 'text';
}

/** Tells whether the service knows what a column is without a mapping. */
export function isKnownColumn(column: string, { forms, notRead, prefixes }: ImportFields): boolean {
  if (column.startsWith('#') || notRead.has(column) || forms.has(column)) return true;
  return prefixes.some((prefix) => column.startsWith(prefix) && column !== prefix);
}

/** The path of the collection that a kind of import writes. */
export function recordsOf(kind: ImportKind): string {
  return kindRules[kind].record;
}
