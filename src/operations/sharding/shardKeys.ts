import { periods } from '#base/calendar/periods';

/** The fields of a shard key in their order. */
export type ShardKey = readonly [string, ...string[]];

/** All of an org on one shard. */
const byOrg: ShardKey = ['org'];

/** The aggregates of a member on one shard. Only the roll-up and merges write them, outside the commits of activities. */
const byMember: ShardKey = ['org', 'memberId'];

/**
 * Collections that stay whole on the primary shard of the database. They are small, and unique over all orgs or read
 * before the org is known.
 */
export const unsharded = [
  // Unique by code; names of users are unique over all orgs, and a login knows nothing else.
  'orgs',
  'users',
  // Each request reads these with the org in one query by their ids (platform/auth/readPrincipals.ts).
  'sessions',
  'apikeys',
  'signincodes',
  'knownlogins',
  // Of the installation: who drains which part of the inbox, who runs, what is migrated.
  'partitions',
  'peers',
  'processes',
  'locks',
  'migrations',
  'deferredindexes',
  'jobheartbeats',
] as const;

/**
 * The shard key of each collection in a sharded cluster (docs/decisions/0177). A unique index begins with it, a write
 * names all of it, and a read at least its first field. Every key but one begins with the org, so that zones of orgs
 * hold all collections together.
 */
export const shardKeys: Readonly<Record<string, ShardKey>> = {
  // What programs define.
  programs: byOrg,
  pursepolicies: byOrg,
  tierpolicies: byOrg,
  locations: byOrg,
  products: byOrg,
  offers: byOrg,
  rewards: byOrg,
  partners: byOrg,
  namedlists: byOrg,
  enums: byOrg,
  segments: byOrg,
  extschemas: byOrg,
  extdefs: byOrg,
  rules: byOrg,
  rulesets: byOrg,
  ruleproposals: byOrg,
  ruleloads: byOrg,
  lookuptables: byOrg,

  // Members, and what commits of activities write. Loyalty ids, keys, codes and external ids are unique in the org.
  members: byOrg,
  accounts: byOrg,
  memberfollowups: byOrg,
  tierhistories: byOrg,
  accrualitems: byOrg,
  expirynotices: byOrg,
  issuedrewards: byOrg,
  submissions: byOrg,
  refusedactivities: byOrg,
  limitcounters: byOrg,
  metricevents: byOrg,
  eventpages: byOrg,
  eventheads: byOrg,
  recordcounts: byOrg,
  occasionslots: byOrg,

  // What is left of archived activities, an id and a key for each, and the volumes that have them.
  archivevolumes: byOrg,
  archivedactivities: byOrg,
  archivedkeys: byOrg,
  archiveopenings: byOrg,
  archiveduses: byOrg,

  // What grows with every activity, and may be spread over several shards of a large org. A merge gives histories
  // another member, and a shard key does not change, so their key has no member.
  activityhistories: ['org', '_id'],
  journal: ['org', 'member'],
  ...Object.fromEntries(periods.map(({ path }) => [path, byMember])),

  // The work of an org, and what it was asked.
  auditlog: byOrg,
  keyedrequests: byOrg,
  sequences: byOrg,
  jobs: byOrg,
  simulations: byOrg,
  imports: byOrg,
  importmappings: byOrg,
  importuploads: byOrg,
  importchunks: byOrg,
  importerrors: byOrg,
  webhooks: byOrg,
  webhookstates: byOrg,
  webhookdeliveries: byOrg,
  webhookreplays: byOrg,

  // Turns at busy members and counters: one write each, outside transactions, unique by the id of what is busy.
  leases: ['_id'],
};
