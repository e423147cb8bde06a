import fc from 'fast-check';
import { openApi } from '../../src/http/openApi/openApi';
import { readHeader } from '../../src/imports/file/readHeader';
import { importKinds as kindsOfService } from '../../src/imports/kinds/importKinds';
import { allRoutes } from '../../src/routes';
import { resources } from '../../src/services/resources';
import type { ApiDocument } from '../src/definitions/schema/document';
import { calledFields } from '../src/operations/mapping/columnWords';
import { dateFormOf, decimalCommaOf } from '../src/operations/mapping/detectForms';
import { importFieldsOf, importKinds, isKnownColumn } from '../src/operations/mapping/importFields';
import { leftOut, proposeFields } from '../src/operations/mapping/proposeFields';

const document = JSON.parse(
  JSON.stringify(openApi({ routes: allRoutes, resources, version: '1.0.0' })),
) as unknown as ApiDocument;
const names = { purses: ['Points'], tiers: ['Status'], ext: new Map() };

/** What the service says of a header in a kind of import. */
const faultsOf = (kind: (typeof importKinds)[number], columns: readonly string[]) =>
  readHeader(columns, { ...kindsOfService[kind].fields, extKind: () => undefined }).faults;
const isRefused = (kind: (typeof importKinds)[number], column: string) =>
  faultsOf(kind, [column]).some((fault) => fault.kind === 'additionalProperties');

test('the kinds of the form are those of the service', () => {
  expect([...importKinds].sort()).toEqual(Object.keys(kindsOfService).sort());
});

describe.each(importKinds)('%s', (kind) => {
  const fields = importFieldsOf(document, kind, names);

  test('every field that is offered is a column that the service takes, and none of its columns is missing', () => {
    expect([...fields.forms.keys()].filter((name) => isRefused(kind, name))).toEqual([]);
    const { properties } = kindsOfService[kind].fields.body;
    const lacking = Object.keys(properties).filter((name) => name !== 'ext' && !fields.forms.has(name));
    expect(lacking).toEqual([]);
    expect(fields.required.map((some) => [...some].sort())).toEqual(
      kindsOfService[kind].fields.required.map((some) => [...some].sort()),
    );
  });

  test('every field that has words is one that is offered', () => {
    expect(calledFields(kind).filter((name) => !fields.forms.has(name))).toEqual([]);
  });

  test('what is left as it is, the service knows', () => {
    for (const name of [...fields.forms.keys(), ...fields.notRead, '#note']) {
      expect([name, isKnownColumn(name, fields), isRefused(kind, name)]).toEqual([name, true, false]);
    }
    for (const name of ['ext.own', 'address.any', 'tier:Status', 'Kartennummer']) {
      expect([name, isKnownColumn(name, fields)]).toEqual([name, !isRefused(kind, name)]);
    }
  });
});

test.each([
  ['members', 'Card number', 'loyaltyID'],
  ['members', 'Kartennummer', 'loyaltyID'],
  ['members', 'LOYALTY-ID', 'loyaltyID'],
  ['members', 'first_name', 'firstName'],
  ['members', 'Geburtsdatum', 'birthDate'],
  ['members', 'E-Mail', 'email'],
  ['members', 'PLZ', 'address.postalCode'],
  ['members', 'Punkte (€)', 'balance:Points'],
  ['members', 'Bemerkung', leftOut],
  ['activities', 'Receipt', 'externalTxnId'],
  ['activities', 'Bon-Nr.', 'externalTxnId'],
  ['activities', 'Datum', 'date'],
  ['activities', 'Date', 'date'],
  ['activities', 'Amount', 'value'],
  ['activities', 'Betrag', 'value'],
  ['activities', 'Umsatz', 'value'],
  ['activities', 'Währung', 'currencyCode'],
  ['activities', 'Kundenkarte', 'loyaltyID'],
  ['products', 'Artikel-Nr.', 'sku'],
  ['locations', 'Filiale', 'number'],
  ['coupons', 'Gültig bis', 'validUntil'],
  ['accrualitems', 'Punkte', 'accruedPoints'],
] as const)('a column of %s called %s is proposed for %s', (kind, column, field) => {
  expect(proposeFields([column], kind, importFieldsOf(document, kind, names)).get(column)).toBe(field);
});

test('no field is proposed for two columns, whatever they are called', () => {
  const fields = importFieldsOf(document, 'activities', names);
  const words = fc.constantFrom(
    'Datum',
    'date',
    'DATE',
    'Bon',
    'Beleg',
    'Receipt',
    'Karte',
    'Betrag',
    'value',
    '#',
    '',
    'x',
  );
  fc.assert(
    fc.property(fc.array(words), (columns) => {
      const proposed = [...proposeFields(columns, 'activities', fields).values()].filter((each) => each !== leftOut);
      expect(new Set(proposed).size).toBe(proposed.length);
    }),
  );
});

test.each([
  [['31.01.2026', '01.02.2026'], 'dd.MM.yyyy', false],
  [['1.2.2026', '31.01.2026'], 'd.M.yyyy', false],
  [['31/01/2026'], 'dd/MM/yyyy', false],
  [['01/31/2026', '02/01/2026'], 'MM/dd/yyyy', false],
  [['03/04/2026'], undefined, true],
  [['2026/01/31'], 'yyyy/MM/dd', false],
  [['31.01.2026 13:45'], 'dd.MM.yyyy HH:mm', false],
  [['31.01.2026 13:45:10'], 'dd.MM.yyyy HH:mm:ss', false],
  [['2026-01-31', ''], undefined, false],
  [['31.01.26', 'yesterday'], undefined, false],
])('dates such as %j are in the format %s', (cells, dateFormat, isDoubtful) => {
  expect(dateFormOf(cells)).toEqual({ ...(dateFormat && { dateFormat }), isDoubtful });
});

test.each([
  [['12,34', '1'], true],
  [['-0,5'], true],
  [['1,000'], undefined],
  [['12.34'], undefined],
  [['12,34', '12.34'], undefined],
  [[''], undefined],
])('decimals of %j have a comma: %s', (cells, isComma) => {
  expect(decimalCommaOf(cells)).toBe(isComma);
});
