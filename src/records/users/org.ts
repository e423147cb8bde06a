import { Type } from '@sinclair/typebox';
import { count, list, objectId } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/** The code of an org, which also names its rule folder. */
export const orgCode = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

/** Orgs: the owners of everything. Not reachable over HTTP; made at the host. */
export const orgResource = defineResource({
  name: 'Org',
  path: 'orgs',
  fields: {
    code: orgCode,
    /** The user that timers write as. */
    systemUser: objectId('User'),
    /** Number of the rule set in force; absent before the first is published. */
    ruleSetVersion: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Counts changes of definitions, so that what is kept of them in memory is known to be old; absent means 0. */
    definitionsVersion: Type.Optional(count()),
    /** Counts removals and renamings of what rules may name, so that none comes between check and publication. */
    namesRemoved: Type.Optional(count()),
    /** Names of the periods whose aggregates hold the past too; absent before the first roll-up. */
    filledPeriods: Type.Optional(list(Type.String(), 50)),
    /** Counts removals of admins, so that two at once collide. */
    adminChanges: Type.Optional(count()),
  },
  indexes: [{ keys: { code: 1 }, unique: true }],
});

export type Org = DocOf<typeof orgResource>;
