import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import type { AcceptServices } from '#activities/inbox/acceptSubmissions';
import type { ServiceError } from '#base/common/errors';
import type { Auditor } from '#platform/audit/auditor';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import type { FileRow } from '../file/fileRow';
import type { RowFields } from '../file/readHeader';
import type { Import } from '../import';

/** The services that imports need. */
export type ImportServices = Infrastructure & AcceptServices & { programCatalogs: ProgramCatalogs };

/** A row to import: its number in the file, from 0, where it is, and its fields. */
export interface ImportRow extends Pick<FileRow, 'line' | 'kept'> {
  n: number;
  value: Record<string, unknown>;
}

/** What became of a row. */
export type Outcome = 'created' | 'updated' | 'unchanged' | ServiceError;

/** What a batch of rows needs. Rows are written by the use cases of single records. */
export interface ImportContext extends WriteContext {
  services: ImportServices;
  /** The author of the import. */
  principal: Principal;
  /** How the audit log names the author. */
  auditor: Auditor & { requestId: string };
  job: Pick<Import, '_id' | 'createdAt' | 'dryRun' | 'format' | 'keptUntil'>;
  definitions: ExtDefinitions;
}

/** Thrown to have a batch divided, before anything of it is written. A batch of one row is never divided. */
export class DividedBatch extends Error {
  override readonly name = 'DividedBatch';
}

/** A batch that was checked, and what is still to be written. */
export interface PlannedRows {
  outcomes: Outcome[];
  /** Writes in the transaction that also counts the rows. Returns the outcomes, some of which may be refused only now. */
  write?(session: ClientSession): Promise<Outcome[]>;
}

/** A kind of import. */
export interface ImportKind {
  /** The permissions of the single writes. */
  permissions: readonly string[];
  /** The permissions on which only some rows depend. */
  sometimes: readonly string[];
  /** The permission that a column needs. */
  permissionOf?(column: string): string | undefined;
  /** The name of the model that defines the extension fields of the rows. */
  model: string;
  fields: Omit<RowFields, 'extKind'>;
  /**
   * The field by which a row is known, when `plan` writes nothing and depends only on records with the keys of its rows.
   * Then a batch may be planned while another one, with other keys, is written.
   */
  key?: string;
  /** The field by which a row is known: two rows of a file with one value of it are of one record. */
  knownBy: string;
  /** Rows of one transaction, where they are fewer than others have. */
  batchRows?: number;
  /**
   * Checks the rows of a batch. It writes only what may be written outside a transaction because it is never done
   * twice, and nothing in a dry run.
   */
  plan(context: ImportContext, rows: readonly ImportRow[]): Promise<PlannedRows>;
}

/** The ids of many records by a string that names them. */
export type IdsByName = ReadonlyMap<string, ObjectId>;
