import type { components } from 'loyalty-client/generated/api';
import { dateFormOf, decimalCommaOf } from './detectForms';
import { type ImportFields, type ImportKind, isKnownColumn } from './importFields';
import { leftOut, proposeFields } from './proposeFields';
import type { FirstRows } from './readFirstRows';

export type KeptMapping = components['schemas']['ImportMapping'];

/** How the columns of a file are understood, as it stands in the form. */
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
  /** Days and months could stand in either order: nothing is proposed for it. */
  isDateDoubtful: boolean;
}

/** The values of fields for which the org has only one, such as its program. */
export type OnlyChoices = Readonly<Record<string, string>>;

/** Proposes how the columns of a file are understood, by their names and the first rows. */
export function proposeMapping(table: FirstRows, kind: ImportKind, fields: ImportFields, only: OnlyChoices): Proposal {
  const proposed = proposeFields(table.columns, kind, fields);
  const cellsOf = (...forms: string[]) =>
    table.columns.flatMap((column, place) =>
      forms.includes(fields.forms.get(proposed.get(column) ?? '') ?? '')
        ? table.rows.map((row) => row[place] ?? '')
        : [],
    );
  const { dateFormat = '', isDoubtful } = dateFormOf(cellsOf('date'));
  const decimals = decimalCommaOf(cellsOf('number', 'points')) ? 'comma' : '';
  const isKnown = table.columns.every((column) => isKnownColumn(column, fields));
  const constants = isKnown ? [] : lacking(proposed, fields, only);
  return {
    draft: { fields: proposed, constants, dateFormat, timezone: '', decimals, amountFactor: '', pointsFactor: '' },
    isNeeded: !isKnown || dateFormat !== '' || isDoubtful || decimals !== '',
    isDateDoubtful: isDoubtful,
  };
}

/** A value for all rows for each field that is required and that no column has. It is known where there is only one choice. */
function lacking(
  proposed: ReadonlyMap<string, string>,
  { required }: ImportFields,
  only: OnlyChoices,
): MappingDraft['constants'] {
  const named = new Set(proposed.values());
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
    ...{ dateFormat, timezone, decimalComma: decimals && String(decimals === 'comma'), amountFactor, pointsFactor },
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

/** A kept mapping as the draft for a file: columns that it does not name are as proposed, or left out. */
export function draftOf(kept: KeptMapping, proposed: ReadonlyMap<string, string>): MappingDraft {
  const { columns = [], constants = [], dateFormat, timezone, decimalComma, amountFactor, pointsFactor } = kept;
  const known = new Map((columns ?? []).map(({ column, field }) => [column, field]));
  const used = new Set(known.values());
  const other = (field: string) => (used.has(field) ? leftOut : field);
  return {
    fields: new Map([...proposed].map(([column, field]) => [column, known.get(column) ?? other(field)])),
    constants: constants ?? [],
    dateFormat: dateFormat ?? '',
    timezone: timezone ?? '',
    decimals: typeof decimalComma === 'boolean' ? (decimalComma ? 'comma' : 'point') : '',
    amountFactor: typeof amountFactor === 'number' ? String(amountFactor) : '',
    pointsFactor: typeof pointsFactor === 'number' ? String(pointsFactor) : '',
  };
}

/** The kept mapping that names the most columns of a file, among those all of whose columns the file has. */
export function fittingMapping(kept: readonly KeptMapping[], columns: readonly string[]): KeptMapping | undefined {
  const present = new Set(columns);
  const fits = ({ columns: own }: KeptMapping) => own?.length && own.every(({ column }) => present.has(column));
  return kept.filter(fits).sort((one, other) => (other.columns?.length ?? 0) - (one.columns?.length ?? 0))[0];
}
