import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { type Import, importResource } from '#exchange/imports/import';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import type { Role } from '#records/users/permissions';
import type { Response } from '../../support/client';
import type { World } from '../../support/world';

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** A file to import. */
export interface Sent {
  kind: string;
  format?: keyof typeof types;
  content: string | Uint8Array<ArrayBuffer>;
  role?: Role;
  dryRun?: boolean;
  headers?: Record<string, string>;
}

/** Posts files and runs their imports, as a worker does. */
export function importing(world: World) {
  const { services, server } = world;
  const post = ({
    kind,
    format = 'csv',
    content,
    role = 'ledger-admin',
    dryRun,
    headers = {},
  }: Sent): Promise<Response> =>
    server.as(role).post(`/imports?kind=${kind}${dryRun ? '&dryRun=true' : ''}`, undefined, {
      raw: content,
      headers: { 'content-type': types[format], ...headers },
    });
  const run = () => runNextImport(services);
  const read = async (id: string): Promise<Import> => {
    const job = await collectionOf(services.db, importResource).findOne({ _id: new ObjectId(id) });
    if (!job) throw new Error(`there is no import ${id}`);
    return job;
  };
  /** Imports a file. Returns the import and the rows that failed. */
  const imported = async (sent: Sent) => {
    const { status, body } = await post(sent);
    if (status !== 202) throw new Error(JSON.stringify(body));
    await run();
    const { status: end, rows, created, updated, unchanged, failed, error } = await read(body._id);
    const errors = (await server.as('admin').get(`/imports/${body._id}/errors`)).body as string;
    return { id: body._id as string, counts: { rows, created, updated, unchanged, failed }, end, error, errors };
  };
  return { post, run, read, imported };
}
