import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, objectId, record, text } from '../../schema/atoms';

/** A level as members hold it. */
export const tierLevelRefShape = record({ name: text(100), number: count() });

/** A member's tier under one tier policy. */
export const tierShape = record({
  policyId: objectId('TierPolicy'),
  name: text(100, { description: 'Name of the tier policy' }),
  program: objectId('Program'),
  level: tierLevelRefShape,
  since: instant(),
  expiresOn: Type.Optional(
    instant({ description: 'When it is looked at again: kept when the metric still reaches it, else after the grace' }),
  ),
});

const stepShape = record({
  level: tierLevelRefShape,
  since: instant(),
  expiresOn: Type.Optional(instant()),
  /** Not taken back by a cancellation: set by a rule, renewed, or what a downgrade left. */
  isFirm: Type.Boolean(),
  /** A rule set it: in that period the metric raises it only above what it had reached. Absent: as `isFirm`. */
  isSet: Type.Optional(Type.Boolean()),
  /** In a later period than that of `since` the metric reached it again: when last. */
  reachedAgain: Type.Optional(instant()),
});

/** How a member came to its tier under one policy; never leaves the service. */
export const ladderShape = record({
  policyId: objectId(),
  /** The levels it climbed, one above the other; the last is the one it has. */
  steps: list(stepShape, 60),
  /** When the last is to be looked at. */
  due: Type.Optional(instant()),
  /** The highest level that the metric reached when last looked at, and in which period that was. */
  seen: Type.Optional(record({ number: count(), key: Type.String({ maxLength: 20 }) })),
});

export type MemberTier = Readonly<Static<typeof tierShape>>;
export type TierLevelRef = Readonly<Static<typeof tierLevelRefShape>>;
export type LadderStep = Readonly<Static<typeof stepShape>>;
/** A member's way up the levels of one policy; a value that is replaced, never changed in place. */
export type Ladder = Readonly<Omit<Static<typeof ladderShape>, 'steps'>> & { readonly steps: readonly LadderStep[] };
