import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, objectId, record } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/** The code of an org; also the name of its rule folder. */
export const orgCode = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

/** Maximum number of {@link Org.unpublishedFolders}. Every request reads them with its org. */
export const unpublishedMax = 200;

/** Maximum number of versions of the rules that are scheduled at once. */
export const scheduledMax = 20;

const scheduledShape = record({ version: Type.Integer({ minimum: 1 }), from: instant() });

/** A version of the rules that comes into force at a moment. */
export type ScheduledRules = Static<typeof scheduledShape>;

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
    /** Names of the periods whose aggregates include the past; absent before the first roll-up. */
    filledPeriods: Type.Optional(list(Type.String(), 50)),
    /** Counts removals of admins, so that two concurrent removals conflict. */
    adminChanges: Type.Optional(count()),
  },
  indexes: [{ keys: { code: 1 }, unique: true }],
});

export type Org = DocOf<typeof orgResource>;
