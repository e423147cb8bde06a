import type { components } from 'loyalty-client/generated/api';
import { type DecimalForm, decimalFormOf } from './detectDecimals';
import { type DateForm, dateFormOf } from './detectForms';
import { type CellForm, type ImportFields, type ImportKind, isKnownColumn } from './importFields';
import { leftOut, namedTwice, proposeFields } from './proposeFields';
import type { FirstRows } from './readFirstRows';

export type KeptMapping = components['schemas']['ImportMapping'];

/** How the columns of a file are understood, according to the form. */
export interface MappingDraft {
  /** The field of each column; of columns with one name there is one. */
  fields: ReadonlyMap<string, string>;
  constants: readonly { field: string; value: string }[];
  dateFormat: string;
  timezone: string;
  decimals: '' | 'comma' | 'point';
  amountFactor: string;
  pointsFactor: string;
}

/** What a form proposes for a file, and whether the service would understand the file without it. */
export interface Proposal {
  draft: MappingDraft;
  isNeeded: boolean;
  /** Why no format of dates is proposed. */
  dateDoubt: DateForm['doubt'];
  /** Points have decimals, which need a factor that only the user knows. */
  hasPointDecimals: boolean;
}

/** The values of fields for which the org has only one, such as its program. */
export type OnlyChoices = Readonly<Record<string, string>>;

/** Proposes how the columns of a file are understood, by their names and the first rows. */
export function proposeMapping(table: FirstRows, kind: ImportKind, fields: ImportFields, only: OnlyChoices): Proposal {
  const { columns } = table;
  const proposed = proposeFields(columns, kind, fields);
  const cellsOf = (...forms: CellForm[]) =>
    cellsIn(table, (column) => {
      const form = fields.forms.get(proposed.get(column) ?? '');
      return form !== undefined && forms.includes(form);
    });
  const { dateFormat = '', doubt } = dateFormOf(cellsOf('moment'), cellsOf('day'));
  const { decimals = '' } = decimalFormOf(cellsOf('number', 'points', 'amount'));
  const amountFactor = minorUnits(decimalFormOf(cellsOf('amount')));
  const hasPointDecimals = decimalFormOf(cellsOf('points')).digits > 0;
  const constants = columns.length === 0 ? [] : lacking(proposed.values(), fields, only);
  const isUnknown = columns.some((column) => !isKnownColumn(column, fields)) || namedTwice(columns).length > 0;
  const isWrittenOtherwise = [dateFormat, decimals, amountFactor, doubt ?? ''].some((each) => each !== '');
  return {
    draft: { fields: proposed, constants, dateFormat, timezone: '', decimals, amountFactor, pointsFactor: '' },
    isNeeded: isUnknown || isWrittenOtherwise || hasPointDecimals || constants.length > 0,
    dateDoubt: doubt,
    hasPointDecimals,
  };
}

function cellsIn({ columns, rows }: FirstRows, isWanted: (column: string) => boolean): string[] {
  return columns.flatMap((column, place) => (isWanted(column) ? rows.map((row) => row[place] ?? '') : []));
}

/** Amounts with decimals are in major units, and rules count minor ones: cents, as almost all currencies have them. */
function minorUnits({ digits }: DecimalForm): string {
  return digits === 1 || digits === 2 ? '100' : '';
}

/** A value for all rows for each field that is required and that nothing says. It is known where there is only one choice. */
function lacking(names: Iterable<string>, { required }: ImportFields, only: OnlyChoices): MappingDraft['constants'] {
  const named = new Set(names);
  return required
    .filter((some) => !some.some((field) => named.has(field)))
    .flatMap(([field = '']) => [{ field, value: only[field] ?? '' }]);
}

/** The arguments of an import that say what a draft says. Columns that are the fields they name need none. */
export function mappingArguments(draft: MappingDraft) {
  const { fields, constants, dateFormat, timezone, decimals, amountFactor, pointsFactor } = draft;
  const named = [...fields].filter(([column, field]) => field !== column);
  const filled = constants.filter(({ field, value }) => field !== '' && value !== '');
  return Object.entries({
    ...Object.fromEntries(named.map(([column, field]) => [`map[${column}]`, field])),
    ...Object.fromEntries(filled.map(({ field, value }) => [`set[${field}]`, value])),
    dateFormat,
    timezone,
    decimalComma: decimals && String(decimals === 'comma'),
    amountFactor,
    pointsFactor,
  }).filter(([, value]) => value !== '');
}

/** A factor as the service keeps it. */
const factorIn = (text: string) => (text === '' ? null : Number(text.replace(',', '.')));

/** The draft as the service keeps it. What is null there is cleared. */
export function keptBody(draft: MappingDraft) {
  const { fields, constants, dateFormat, timezone, decimals, amountFactor, pointsFactor } = draft;
  return {
    columns: [...fields].map(([column, field]) => ({ column, field })),
    constants: constants.filter(({ field, value }) => field !== '' && value !== ''),
    dateFormat: dateFormat || null,
    timezone: timezone || null,
    decimalComma: decimals === '' ? null : decimals === 'comma',
    amountFactor: factorIn(amountFactor),
    pointsFactor: factorIn(pointsFactor),
  };
}

/**
 * A kept mapping as the draft for a file: columns that it does not name are as proposed, or left out; what is required and it
 * does not say is a value for all rows.
 */
export function draftOf(
  kept: KeptMapping,
  proposed: ReadonlyMap<string, string>,
  fields: ImportFields,
  only: OnlyChoices,
): MappingDraft {
  const { columns, constants, dateFormat, timezone, decimalComma, amountFactor, pointsFactor } = kept;
  const own = (columns ?? []).filter(({ column }) => proposed.has(column));
  const known = new Map(own.map(({ column, field }) => [column, field]));
  const set = constants ?? [];
  const used = new Set([...known.values(), ...set.map(({ field }) => field)]);
  const other = (field: string) => (used.has(field) ? leftOut : field);
  const named = new Map([...proposed].map(([column, field]) => [column, known.get(column) ?? other(field)]));
  return {
    fields: named,
    constants: [...set, ...lacking([...named.values(), ...used], fields, only)],
    dateFormat: dateFormat ?? '',
    timezone: timezone ?? '',
    decimals: typeof decimalComma === 'boolean' ? (decimalComma ? 'comma' : 'point') : '',
    amountFactor: typeof amountFactor === 'number' ? String(amountFactor) : '',
    pointsFactor: typeof pointsFactor === 'number' ? String(pointsFactor) : '',
  };
}

/** Of the kept mappings with no column that the file does not have, the one that names the most columns. */
export function fittingMapping(kept: readonly KeptMapping[], columns: readonly string[]): KeptMapping | undefined {
  const present = new Set(columns);
  const fits = ({ columns: own }: KeptMapping) => own?.length && own.every(({ column }) => present.has(column));
  return kept.filter(fits).sort((one, other) => (other.columns?.length ?? 0) - (one.columns?.length ?? 0))[0];
}
