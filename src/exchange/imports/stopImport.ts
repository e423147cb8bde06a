import { collectionOf } from '#base/db/collections';
import { idOf } from '#platform/http/collection/idOf';
import { type Answer, ok, type Request } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { deleteFile } from './file/receiveFile';
import { importResource } from './import';

/** `POST /imports/{id}/stop`: ends an import after the batch that is being written. What is stored stays. */
export async function stopImport(request: Request): Promise<Answer> {
  const { services, principal, now } = request;
  const _id = idOf(request);
  const job = await storedRecord(importResource, request, _id);
  if (job.status === 'Running') {
    const end = { status: 'Stopped' as const, finishedAt: now, updatedAt: now, updatedBy: principal.userId };
    await collectionOf(services.db, importResource).updateOne(
      { _id, org: principal.org, status: 'Running' },
      { $set: end },
    );
    await deleteFile(services, _id);
  }
  return ok(visible(importResource, await storedRecord(importResource, request, _id)));
}
