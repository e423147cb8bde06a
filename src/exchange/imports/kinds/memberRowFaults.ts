import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { comparable } from '#base/schema/findable';
import type { IdsByName, ImportContext } from './importKind';
import { isName } from './namedIds';
import { openingPrefixes } from './openingBalances';

/** The permission that points and levels need. */
export const ledgerPermission = 'accrualitems:write';

interface ReadMemberRow {
  value: Record<string, unknown>;
  loyaltyID: unknown;
  /** The programs that rows of the batch name by their codes. */
  programs: IdsByName;
}

/** The faults of a row of a member beside those that a single post would have. */
export function memberRowFaults(context: ImportContext, { value, loyaltyID, programs }: ReadMemberRow): FieldError[] {
  return [...keyFaults(loyaltyID), ...programFaults(value.program, programs), ...rightFaults(context, value)];
}

function keyFaults(loyaltyID: unknown): FieldError[] {
  if (typeof loyaltyID === 'string' && loyaltyID !== '') return [];
  return [{ path: 'loyaltyID', kind: 'required', ...message('imports.rowIdRequired') }];
}

function programFaults(program: unknown, programs: IdsByName): FieldError[] {
  if (!isName(program) || programs.has(comparable(program))) return [];
  return [{ path: 'program', kind: 'reference', ...message('imports.noProgram') }];
}

function rightFaults({ principal }: ImportContext, value: object): FieldError[] {
  if (principal.permissions.has(ledgerPermission)) return [];
  const columns = Object.keys(value).filter((column) => openingPrefixes.some((each) => column.startsWith(each)));
  return columns.map((path) => ({
    path,
    kind: 'permission',
    ...message('imports.permissionNeeded', { permission: ledgerPermission }),
  }));
}
