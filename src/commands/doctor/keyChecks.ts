import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { apiKeyResource } from '#records/users/apiKey';
import { orgResource } from '#records/users/org';
import { type Check, type Deployment, type Finding, ok, warning } from './check';

/** How long a key may be unused until it is reported, in milliseconds. */
const unusedMaxMs = 90 * dayMs;

/** The most keys that a finding names. */
const namedMax = 20;

/** Finds keys, and names them by org, name and prefix. */
async function keysIn({ db }: Deployment, where: object, advice: string): Promise<Finding> {
  const keys = collectionOf(db, apiKeyResource);
  const [count, found] = await Promise.all([
    keys.countDocuments(where),
    keys.find(where).sort({ _id: 1 }).limit(namedMax).toArray(),
  ]);
  if (count === 0) return ok('none');
  const orgs = await collectionOf(db, orgResource)
    .find({ _id: { $in: found.map(({ org }) => org) } })
    .toArray();
  const codes = new Map(orgs.map(({ _id, code }) => [_id.toHexString(), code]));
  const named = found.map(({ org, name, prefix }) => `${codes.get(org.toHexString()) ?? '?'}/${name} (${prefix})`);
  const more = count > named.length ? `, and ${count - named.length} more` : '';
  return warning(`${count}: ${named.join(', ')}${more}`, advice);
}

/** Checks of API keys. A key that somebody forgot can be stolen, and nobody notices. */
export const keyChecks: readonly Check[] = [
  {
    name: 'keys.endless',
    run: (at) =>
      keysIn(
        at,
        { expiresAt: { $exists: false } },
        'Give each of these keys an expiresAt (PUT /apikeys/{id}), and rotate them from time to time.',
      ),
  },
  {
    name: 'keys.unused',
    run(at) {
      const before = new Date(at.now.getTime() - unusedMaxMs);
      const isUnused = { createdAt: { $lt: before }, $nor: [{ lastUsedAt: { $gte: before } }] };
      const isValid = { $nor: [{ expiresAt: { $lte: at.now } }] };
      return keysIn(at, { $and: [isUnused, isValid] }, 'Delete these keys: nothing has used them for 90 days.');
    },
  },
];
