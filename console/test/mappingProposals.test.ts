import fc from 'fast-check';
import { readCell } from '../../src/exchange/imports/file/readCell';
import { readHeader } from '../../src/exchange/imports/file/readHeader';
import { importKinds as kindsOfService } from '../../src/exchange/imports/kinds/importKinds';
import { openApi } from '../../src/platform/http/openApi/openApi';
import { allRoutes } from '../../src/server/routes';
import { resources } from '../../src/server/services/resources';
import { addressParts } from '../src/definitions/inputs/addressParts';
import type { ApiDocument } from '../src/definitions/schema/document';
import { calledFields } from '../src/operations/mapping/columnWords';
import { factorsOf, importFieldsOf, importKinds, isKnownColumn } from '../src/operations/mapping/importFields';
import { draftOf, type KeptMapping, mappingArguments, proposeMapping } from '../src/operations/mapping/mappingDraft';
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

test('the form offers the kinds of import that the service has', () => {
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

  test('shows factors only for fields that the service has', () => {
    const { amounts, points, prefixes } = kindsOfService[kind].fields;
    expect(factorsOf(fields)).toEqual([
      ...(amounts.length > 0 ? ['amountFactor'] : []),
      ...(points.length > 0 || prefixes.includes('balance:') ? ['pointsFactor'] : []),
    ]);
    expect([...fields.forms].filter(([, form]) => form === 'amount').map(([name]) => name)).toEqual(amounts);
  });

  test('every field with words of its own is offered', () => {
    expect(calledFields(kind).filter((name) => !fields.forms.has(name))).toEqual([]);
  });

  test('the service knows every column that is left as it is', () => {
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
  ['members', 'PLZ', 'address.postcode'],
  ['members', 'Bundesland', 'address.region'],
  ['locations', 'ZIP', 'address.postcode'],
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

test('no field is proposed for two columns, whatever the names of the columns', () => {
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

/** What is proposed for a file of a kind, in an org with one program. */
function proposalFor(kind: (typeof importKinds)[number], [columns = [], ...rows]: string[][], own: object = {}) {
  const fields = importFieldsOf(document, kind, { ...names, ...own });
  return { fields, ...proposeMapping({ columns, rows, isGarbled: false }, kind, fields, { program: 'main' }) };
}

test('a file of known columns needs a mapping when a required field is missing', () => {
  const lacking = proposalFor('members', [
    ['loyaltyID', 'firstName'],
    ['1', 'Ada'],
  ]);
  expect([lacking.isNeeded, lacking.draft.constants]).toEqual([true, [{ field: 'program', value: 'main' }]]);
  expect(mappingArguments(lacking.draft)).toEqual([['set[program]', 'main']]);
  const whole = proposalFor('members', [
    ['loyaltyID', 'program'],
    ['1', 'main'],
  ]);
  expect([whole.isNeeded, whole.draft.constants]).toEqual([false, []]);
  expect(proposalFor('members', [[]]).isNeeded).toBe(false);
});

test('a name that two columns share is left out, known or not, and the service accepts the mapping', () => {
  for (const name of ['Datum', 'date', '#note']) {
    const columns = ['externalTxnId', 'type', name, name];
    const { draft, isNeeded } = proposalFor('activities', [columns, ['1', 'Accrual', '31.12.2026', '01.01.2027']]);
    expect([name, draft.fields.get(name), isNeeded, draft.dateFormat]).toEqual([name, leftOut, true, '']);
    expect(faultsOf('activities', columns)).not.toEqual([]);
    expect(
      faultsOf(
        'activities',
        columns.map((each) => draft.fields.get(each) ?? ''),
      ),
    ).toEqual([]);
  }
});

test('a kept mapping has no column for a field that it sets, and gets a value for a field that it lacks', () => {
  const columns = ['Karte', 'Programm', 'Vorname', 'Filiale'];
  const { draft, fields } = proposalFor('members', [columns]);
  const kept = (own: object) => draftOf(own as KeptMapping, draft.fields, fields, { program: 'main' });
  const set = kept({
    columns: [{ column: 'Karte', field: 'loyaltyID' }],
    constants: [{ field: 'program', value: 'b' }],
  });
  expect([set.fields.get('Programm'), set.fields.get('Vorname')]).toEqual([leftOut, 'firstName']);
  expect(set.constants).toEqual([{ field: 'program', value: 'b' }]);
  const lacking = kept({ columns: [{ column: 'Programm', field: '#' }] });
  expect(lacking.constants).toEqual([{ field: 'program', value: 'main' }]);
  const ofOther = kept({ columns: [{ column: 'Card', field: 'loyaltyID' }], constants: null });
  expect(ofOther.fields.get('Karte')).toBe('loyaltyID');
});

test.each([
  [['A'], [], 'balance:A'],
  [['A', 'B'], ['B'], 'balance:B'],
  [['A', 'B'], ['B', 'B'], 'balance:B'],
  [['A', 'B'], ['A', 'B'], leftOut],
  [['A', 'B'], [], leftOut],
  [[], [], leftOut],
])('points of members with the purses %j, primary %j, are proposed for %s', (purses, primary, field) => {
  for (const column of ['Punkte', 'Points']) {
    const proposal = proposalFor(
      'members',
      [
        ['loyaltyID', 'program', column],
        ['1', 'main', '1.234,5'],
      ],
      { purses, primary },
    );
    expect(proposal.draft.fields.get(column)).toBe(field);
    expect([proposal.draft.decimals, proposal.hasPointDecimals]).toEqual(
      field === leftOut ? ['', false] : ['comma', true],
    );
  }
});

test.each([
  [['12,50', '7'], 'comma', '100'],
  [['12.5'], '', '100'],
  [['1.234,50'], 'comma', '100'],
  [['1,234.50'], 'point', '100'],
  [['1250', ''], '', ''],
  [['1.000'], '', ''],
  [['1.2345'], '', ''],
])(
  'amounts such as %j get the decimals %j and the factor %j, and the service reads them correctly',
  (amounts, decimals, factor) => {
    const rows = amounts.map((amount, place) => [String(place), 'Accrual', amount]);
    const { draft, isNeeded } = proposalFor('activities', [['externalTxnId', 'type', 'value'], ...rows]);
    expect([draft.decimals, draft.amountFactor, isNeeded]).toEqual([decimals, factor, factor !== '']);
    const forms = { ...(decimals && { decimalComma: decimals === 'comma' }), amountFactor: Number(factor) };
    expect(amounts.filter((cell) => factor !== '' && 'fault' in readCell(cell, 'amount', forms))).toEqual([]);
  },
);

test('the proposed parts of an address are those that the console writes', () => {
  for (const kind of ['members', 'locations'] as const) {
    const parts = [...importFieldsOf(document, kind, names).forms.keys()].filter((name) => name.startsWith('address.'));
    expect(parts).toEqual(addressParts({}).map(({ name }) => `address.${name}`));
  }
});
