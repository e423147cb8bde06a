import { Type } from '@sinclair/typebox';
import { instant, integerMax, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

const optional = Type.Optional;

/** How many proposals of an org may wait, how large one is, how long it can be approved, and how long it is kept. */
export const proposalLimits = {
  pendingMax: 50,
  /** The size of all files together, before and after the change. MongoDB stores 16 MB in a record. */
  bytesMax: 12 * 1_048_576,
  approvableDays: 30,
  keptDays: 400,
} as const;

const versionNumber = Type.Integer({ minimum: 1, maximum: integerMax });

/** Why somebody proposes, approves or rejects, in their words. */
export const reasonText = text(1000);

/** Changes of rules that wait for a second person, and those that were decided. */
export const ruleProposalResource = defineResource({
  name: 'RuleProposal',
  path: 'ruleproposals',
  access: 'operation',
  tag: 'Rules',
  permissions: { read: 'rules:read', create: 'rules:publish', update: 'rules:publish', delete: 'rules:publish' },
  fields: {
    status: oneOf(['Pending', 'Approved', 'Rejected']),
    action: oneOf(['publish', 'schedule'], { description: 'What an approval does' }),
    proposer: text(200, { description: 'Name of the user or API key who asks' }),
    reason: optional({ ...reasonText, description: 'Why, as the proposer says' }),
    paths: list(text(500), 1000, { description: 'Paths of the files that it has' }),
    version: optional({ ...versionNumber, description: 'The version that was in force when it was made' }),
    from: optional(instant({ description: 'Of a schedule: when the rules shall come into force' })),
    ruleSet: optional({ ...versionNumber, description: 'Of a schedule without files: the earlier version' }),
    endsAt: instant({ description: 'It can be approved until then' }),
    decidedAt: optional(instant()),
    decidedBy: optional(objectId('User')),
    decider: optional(text(200, { description: 'Name of the user who approved or rejected it' })),
    decisionReason: optional({ ...reasonText, description: 'Why, as the decider says' }),
    published: optional({ ...versionNumber, description: 'The version that the approval made' }),
    /** `before` is absent when there was no such file. */
    files: list(record({ path: Type.String(), text: Type.String(), before: optional(Type.String()) }), 1000),
    /** Of a schedule with files: the hash of all files of its programs as they were. */
    folderHash: optional(text(64)),
    /** The same proposal of the same user has the same hash. */
    hash: text(64),
    /** Until then, by the clock of the database, somebody puts it into force. */
    claimedUntil: optional(instant()),
    keptUntil: instant(),
  },
  hidden: ['files', 'folderHash', 'hash', 'claimedUntil', 'keptUntil'],
  indexes: [{ keys: { org: 1, status: 1, endsAt: 1 } }, { keys: { keptUntil: 1 }, expireAfterSeconds: 0 }],
});

export type RuleProposal = DocOf<typeof ruleProposalResource>;
