import { readCell } from '../../src/exchange/imports/file/readCell';
import { decimalFormOf } from '../src/operations/mapping/detectDecimals';
import { dateFormOf } from '../src/operations/mapping/detectForms';

test.each([
  [['31.01.2026', '01.02.2026'], { dateFormat: 'dd.MM.yyyy' }],
  [['1.2.2026', '31.01.2026'], { dateFormat: 'd.M.yyyy' }],
  [['31/01/2026'], { dateFormat: 'dd/MM/yyyy' }],
  [['01/31/2026', '02/01/2026'], { dateFormat: 'MM/dd/yyyy' }],
  [['03/04/2026'], { doubt: 'order' }],
  [['2026/01/31'], { dateFormat: 'yyyy/MM/dd' }],
  [['31.01.2026 13:45'], { dateFormat: 'dd.MM.yyyy HH:mm' }],
  [['31.01.2026 13:45:10'], { dateFormat: 'dd.MM.yyyy HH:mm:ss' }],
  [['31.01.26', 'yesterday', ''], {}],
  [['31.12.2026', '31.12.2026 13:45'], { doubt: 'mixed' }],
  [['31.12.2026 13:45:10', '31.12.2026 13:45'], { doubt: 'mixed' }],
  [['31.12.2026', '31/12/2026'], { doubt: 'mixed' }],
  [['12/31/2026', '31/12/2026'], { doubt: 'mixed' }],
  [['2026/12/31', '31/12/2026'], { doubt: 'mixed' }],
  [['31.12.2026', '13.13.2026', '99.99.2026'], { dateFormat: 'dd.MM.yyyy' }],
])('dates such as %j are recognized as %j, whether the column has moments or days', (cells, expected) => {
  expect(dateFormOf(cells)).toEqual(expected);
  expect(dateFormOf([], cells)).toEqual(expected);
});

test.each([
  [['2026-12-31'], ['1980-01-31'], { dateFormat: 'yyyy-MM-dd' }],
  [['2026-12-31 13:45'], ['1980-01-31'], { dateFormat: 'yyyy-MM-dd HH:mm' }],
  [['2026-12-31T13:45'], [], { dateFormat: 'yyyy-MM-dd HH:mm' }],
  [['2026-12-31T13:45:00', '2026-12-31'], [], { dateFormat: 'yyyy-MM-dd' }],
  [['2026-12-31T13:45:00', '2026-12-31 13:45:00', '2026-12-31T13:45:00.000Z'], ['1980-01-31'], {}],
  [['2026-12-31 13:45', '2026-12-31'], [], { doubt: 'mixed' }],
  [['31.12.2026 13:45'], ['31.01.1980'], { doubt: 'mixed' }],
  [['31.12.2026 13:45'], ['1980-01-31'], { dateFormat: 'dd.MM.yyyy HH:mm' }],
])(
  'moments such as %j beside days such as %j are recognized as %j, and the service reads each',
  (moments, days, expected) => {
    const recognized = dateFormOf(moments, days);
    expect(recognized).toEqual(expected);
    const forms = recognized.dateFormat === undefined ? {} : { dateFormat: recognized.dateFormat };
    const faulty = [
      ...moments.filter((cell) => 'fault' in readCell(cell, 'instant', forms)),
      ...days.filter((cell) => 'fault' in readCell(cell, 'day', forms)),
    ];
    expect(faulty.length > 0).toBe(recognized.doubt !== undefined);
  },
);

test.each([
  [['12,34', '1'], 'comma'],
  [['-0,5'], 'comma'],
  [['0,125'], 'comma'],
  [['1.234,56'], 'comma'],
  [['1.234.567'], 'comma'],
  [['1.234,567'], 'comma'],
  [['1,234.56'], 'point'],
  [['1,234,567'], 'point'],
  [['1,234.56', '12.5'], 'point'],
  [['1,000'], undefined],
  [['1.000'], undefined],
  [['12.34'], undefined],
  [['12,34', '12.34'], undefined],
  [['1.234,56', '1,234.56'], undefined],
  [['12.34,5', '1,23.4', '1.234,', ',5', '1.2.3'], undefined],
  [['', 'x'], undefined],
] as const)('decimals of %j are written with a %s, as the service reads them', (cells, decimals) => {
  expect(decimalFormOf(cells).decimals).toBe(decimals);
  const forms = { decimalComma: decimals === 'comma' };
  const refused = cells.filter((cell) => decimals !== undefined && 'fault' in readCell(cell, 'decimal', forms));
  expect(refused).toEqual([]);
});
