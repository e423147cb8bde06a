import type { ClientSession } from 'mongoose';
import { inTransaction, withRetries } from '#base/db/transaction';
import { outcomeOrError } from '../kinds/checkOne';
import type { ImportContext, ImportKind, Outcome, PlannedRows } from '../kinds/importKind';
import { inSession } from '../kinds/writeInOrder';
import type { NumberedRow } from './rowBatches';

/** Undoes the writes of a dry run. */
class DryRun extends Error {
  override readonly name = 'DryRun';
  constructor(readonly outcomes: Outcome[]) {
    super();
  }
}

/** Writes the rows of a dry run in a transaction that is not committed, so that the store checks them too. */
export async function triedRows(context: ImportContext, { write, outcomes }: PlannedRows): Promise<Outcome[]> {
  return write ? undone(context, write) : outcomes;
}

/**
 * What would become of a row of which earlier rows of the file have the key: these are written first, in the same
 * transaction, which is not committed.
 */
export function triedAfter(
  kind: ImportKind,
  context: ImportContext,
  { n, line, kept, value = {}, earlier = [] }: NumberedRow,
): Promise<Outcome> {
  const rows = [...earlier, value].map((each) => ({ n, line, kept, value: each }));
  return outcomeOrError(async () => {
    // What is written outside of a transaction is not written in a dry run, so its plan says all.
    if (kind.key === undefined) return last((await kind.plan(context, rows)).outcomes);
    const writeAll = async (session: ClientSession) => {
      const own = inSession(context, session);
      const outcomes: Outcome[] = [];
      for (const row of rows) {
        const { write, outcomes: planned } = await kind.plan(own, [row]);
        outcomes.push(last(write ? await write(session) : planned));
      }
      return outcomes;
    };
    return last(await withRetries(() => undone(context, writeAll), {}));
  });
}

async function undone(
  { services: { db } }: ImportContext,
  write: (session: ClientSession) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  try {
    return await inTransaction(db, async (session) => {
      throw new DryRun(await write(session));
    });
  } catch (error) {
    if (error instanceof DryRun) return error.outcomes;
    throw error;
  }
}

function last(outcomes: readonly Outcome[]): Outcome {
  return outcomes.at(-1) ?? 'unchanged';
}
