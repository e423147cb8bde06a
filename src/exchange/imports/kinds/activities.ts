import type { TObject } from '@sinclair/typebox';
import { type Accepted, acceptSubmissions } from '#activities/inbox/acceptSubmissions';
import { parseActivities } from '#activities/post/parseActivity';
import { readCancelRequest, routeName, withKey } from '#activities/post/postActivity';
import { requestKeyOrNew } from '#activities/post/postOptions';
import { unknownReferences } from '#activities/post/unknownReferences';
import { invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { derivedIdAt } from '#base/db/records';
import { record } from '#base/schema/atoms';
import { isReadOnly } from '#base/schema/roundTrip';
import { keyKeptUntil } from '#platform/http/keys/sentKey';
import { keyReused } from '#platform/http/keys/whileInFlight';
import { activityBody } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { hasFreeKey, type Submission, submissionResource } from '#records/activities/submission';
import { findArchivedKeys } from '#records/archives/archivedKey';
import { importedRow } from '../importedRow';
import type { ImportContext, ImportKind, ImportRow, Outcome } from './importKind';
import { unknownSubjects } from './unknownSubjects';

const cancelPermission = 'activity:cancel';

/** The import of activities, by their `externalTxnId`: each is accepted as an asynchronous post (docs/design/bulk.md). */
export const activities: ImportKind = {
  permissions: ['activity:post'],
  sometimes: [cancelPermission],
  knownBy: 'externalTxnId',
  model: activityHistoryResource.name,
  fields: fieldsOfActivities(activityBody as TObject),
  async plan(context, rows) {
    const checked = await checkRows(context, rows);
    const good = checked.flatMap((each, index) => (each instanceof ServiceError ? [] : [{ each, index }]));
    const outcomes: Outcome[] = checked.map((each) => (each instanceof ServiceError ? each : 'created'));
    if (good.length === 0) return { outcomes };
    if (context.job.dryRun) {
      const would = await wouldBecome(
        context,
        good.map(({ each }) => each),
      );
      for (const [n, { index }] of good.entries()) outcomes[index] = would[n] ?? 'created';
      return { outcomes };
    }
    // This is never done twice: the ids of the submissions follow from the import, their keys from the rows.
    const { services, principal } = context;
    const author = { org: principal.org, userId: principal.userId };
    const stored = await acceptSubmissions(
      services,
      author,
      good.map(({ each }) => each),
    );
    for (const [n, { each, index }] of good.entries()) {
      const submission = stored[n];
      if (submission instanceof ServiceError) outcomes[index] = submission;
      else if (each.id && submission && !submission._id.equals(each.id)) outcomes[index] = 'unchanged';
    }
    return { outcomes };
  },
};

/** What would become of activities: the first of a key is accepted, unless one is stored already. */
async function wouldBecome(
  { services, principal: { org } }: ImportContext,
  accepted: readonly Accepted[],
): Promise<Outcome[]> {
  const keys = accepted.map(({ key }) => key.key);
  const found = await collectionOf(services.db, submissionResource)
    .find({ org, key: { $in: keys } })
    .project<Pick<Submission, 'key' | 'hash' | 'status' | 'outcome'>>({ key: 1, hash: 1, status: 1, outcome: 1 })
    .toArray();
  const taken = found.filter((each) => !hasFreeKey(each));
  const hashes = new Map(taken.map(({ key, hash }) => [key, hash]));
  const archived = await findArchivedKeys(services.db, org, keys);
  return accepted.map(({ key: { key, hash } }) => {
    const gone = archived.get(key);
    if (gone) return gone.isOf(hash) ? 'unchanged' : keyReused('externalTxnId');
    const stored = hashes.get(key);
    if (stored === undefined) hashes.set(key, hash);
    if (stored === undefined) return 'created';
    return stored === hash ? 'unchanged' : keyReused('externalTxnId');
  });
}

function fieldsOfActivities({ properties }: TObject): ImportKind['fields'] {
  const posted = Object.entries(properties).filter(([, schema]) => !isReadOnly(schema));
  const body = record(Object.fromEntries(posted));
  const notRead = Object.keys(activityHistoryResource.shape.properties).filter((name) => !(name in body.properties));
  return {
    body,
    notRead: new Set(notRead),
    required: [['externalTxnId'], ['type']],
    prefixes: [],
    points: ['payPoints'],
    amounts: ['value'],
  };
}

async function checkRows(context: ImportContext, rows: readonly ImportRow[]): Promise<(Accepted | ServiceError)[]> {
  const { services, principal, definitions: extDefinitions, now, job } = context;
  const { org } = principal;
  const bodies = rows.map(({ value }) => value);
  const parsed = await parseActivities(bodies, { db: services.db, org, now, extDefinitions });
  const read = parsed.flatMap((each) => (each instanceof ServiceError ? [] : [each]));
  const references = await unknownReferences(services.db, org, read);
  const subjects = await unknownSubjects(context, read);
  const faultsOf = new Map(
    read.map((activity, index) => [activity, [...(references[index] ?? []), ...(subjects[index] ?? [])]]),
  );
  return parsed.map((activity, index) => {
    if (activity instanceof ServiceError) return activity;
    const row = rows[index];
    const faults = faultsOf.get(activity) ?? [];
    if (faults.length > 0) return validationError(faults);
    const { externalTxnId } = activity;
    if (externalTxnId === undefined || !row) {
      return invalidField('externalTxnId', 'required', message('imports.activityIdRequired'));
    }
    const cancel = readCancelRequest(activity, bodies[index]);
    if (cancel && !principal.permissions.has(cancelPermission)) {
      return invalidField('type', 'permission', message('imports.permissionNeeded', { permission: cancelPermission }));
    }
    const single = { activity, ...(cancel ? { cancel } : {}) };
    const sent = { route: routeName(single), body: bodies[index], externalTxnId, headers: {} };
    const key = requestKeyOrNew({ ...sent, keptUntil: keyKeptUntil(now, services.config) });
    const id = derivedIdAt(job.createdAt, 'importedActivity', job._id, row.n);
    return { ...withKey(single, key), id, row: importedRow(job, row) };
  });
}
