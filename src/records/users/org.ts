import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, objectId, oneOf, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { auditHead } from './auditEntry';

/** The code of an org; also the name of its rule folder. */
export const orgCode = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

/** Maximum number of {@link Org.unpublishedFolders}. Every request reads them with its org. */
export const unpublishedMax = 200;

/** Maximum number of versions of the rules that are scheduled at once. */
export const scheduledMax = 20;

const scheduledShape = record({ version: Type.Integer({ minimum: 1 }), from: instant() });

/** A version of the rules that comes into force at an instant. */
export type ScheduledRules = Static<typeof scheduledShape>;

/** What makes an org a sandbox: a copy of another org's definitions, with a clock of its own, that can be emptied. */
const sandboxShape = record({
  /** How many milliseconds its clock is ahead of the machine's. */
  aheadMs: count(),
  /** The value that `aheadMs` is being moved to. Absent when the clock is not being moved. */
  aheadUntilMs: Type.Optional(count()),
  /** The work that is being done on the whole sandbox. Meanwhile clients cannot write. Absent when there is none. */
  work: Type.Optional(oneOf(['clone', 'wipe', 'remove'])),
  /** Whether a wipe that continues sets the clock back at its end. */
  resetsClock: Type.Optional(Type.Boolean()),
  /** The process that moves or wipes it, and until when, by the machine's clock, no other process does. */
  lease: Type.Optional(objectId()),
  leaseUntil: Type.Optional(instant()),
});

export type Sandbox = Static<typeof sandboxShape>;

/** Orgs: the owners of all records. Not reachable over HTTP; a command on the host creates them. */
export const orgResource = defineResource({
  name: 'Org',
  path: 'orgs',
  fields: {
    code: orgCode,
    /** The user in whose name timers write. */
    systemUser: objectId('User'),
    /** Version of the rule set in force; absent before the first publication. */
    ruleSetVersion: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Versions that come into force later, the earliest first; absent: none was ever scheduled. */
    scheduledRules: Type.Optional(list(scheduledShape, scheduledMax)),
    /** The highest number of a scheduled version, which may be higher than the version in force. */
    lastRuleSetVersion: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Counts changes of definitions, so that processes notice when their caches are out of date; absent means 0. */
    definitionsVersion: Type.Optional(count()),
    /** Counts removals and renames of names that rules use, to detect one between check and publication of rules. */
    namesRemoved: Type.Optional(count()),
    /**
     * Folders with rule files of which no rule is in force, since they had faults or belonged to no program when they
     * were last read. Each is the code of a program, or may become one. Absent means none.
     */
    unpublishedFolders: Type.Optional(list(Type.String(), unpublishedMax)),
    /** Names of the periods with aggregates that include the past; absent before the first roll-up. */
    filledPeriods: Type.Optional(list(Type.String(), 50)),
    /** Retention may have deleted histories that were posted and dated before this instant. */
    historiesDeletedBefore: Type.Optional(instant()),
    /** Counts removals of admins, so that two concurrent removals conflict. */
    adminChanges: Type.Optional(count()),
    /** The last entry of the audit log, so that entries missing at its end show; absent before the first. */
    auditHead: Type.Optional(auditHead),
    /** Present in a sandbox only. */
    sandbox: Type.Optional(sandboxShape),
  },
  indexes: [{ keys: { code: 1 }, unique: true }],
});

export type Org = DocOf<typeof orgResource>;
