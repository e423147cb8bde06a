import type { Resource } from '#base/schema/resource';

/**
 * What a wipe keeps, in addition to definitions and users: the org, its logins, its rules, the record of who did what,
 * and the number of its last event, so that followers of events never see an id twice.
 */
const kept: ReadonlySet<string> = new Set([
  'Org',
  'Session',
  'SignInCode',
  'KnownLogin',
  'WebhookState',
  'AuditEntry',
  'EventHead',
  'Rule',
  'RuleSet',
  'RuleLoad',
  'LookupTable',
  'RuleProposal',
]);

/**
 * What a wipe deletes in addition to customers and their ledger. A resource that is neither here nor kept fails a test,
 * so that nobody adds one without a decision.
 */
const wiped: ReadonlySet<string> = new Set([
  'Submission',
  'OccasionSlot',
  'KeyedRequest',
  'Partition',
  'Lease',
  'LimitCounter',
  'Sequence',
  'MemberFollowUp',
  'MetricEvents',
  'RecordCount',
  'ArchiveVolume',
  'ArchivedPage',
  'ArchivedKey',
  'ArchiveOpening',
  'ArchivedUse',
  'JobRun',
  'Simulation',
  'EventPage',
  'ExpiryNotice',
  'WebhookDelivery',
  'WebhookReplay',
  'Import',
  'ImportUpload',
  'ImportChunk',
  'ImportError',
]);

/** What becomes of the records of a resource in a wipe; undefined: nobody has said it, and they stay. */
export function wipeDecision({ name, access }: Pick<Resource, 'name' | 'access'>): 'kept' | 'wiped' | undefined {
  if (kept.has(name) || access === 'managed' || access === 'catalog' || access === 'user') return 'kept';
  if (wiped.has(name) || access === 'customer' || access === 'ledger') return 'wiped';
  return undefined;
}

/**
 * The resources whose records a wipe deletes, members first: a commit that is in flight then fails, because it changes a
 * member that is gone.
 */
export function wipedResources(resources: readonly Resource[]): Resource[] {
  const gone = resources.filter((resource) => wipeDecision(resource) === 'wiped');
  return gone.sort((a, b) => Number(b.name === 'Member') - Number(a.name === 'Member'));
}
