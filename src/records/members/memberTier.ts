import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, named, objectId, record, text } from '../../schema/atoms';

/** The level of a tier, as stored in a member. */
export const tierLevelRefShape = record({ name: text(100), number: count() });

/** A member's tier under one tier policy. */
export const tierShape = named(
  'Tier',
  record({
    policyId: objectId('TierPolicy'),
    name: text(100, { description: 'Name of the tier policy' }),
    program: objectId('Program'),
    level: tierLevelRefShape,
    since: instant(),
    expiresOn: Type.Optional(
      instant({
        description:
          'When the level is checked again: renewed if the metric still reaches it, else downgraded after the grace',
      }),
    ),
  }),
);

const stepShape = record({
  level: tierLevelRefShape,
  since: instant(),
  expiresOn: Type.Optional(instant()),
  /** A cancellation cannot revoke this level: a rule set it, it was renewed, or it is the result of a downgrade. */
  isFirm: Type.Boolean(),
  /**
   * A rule set it. In that period the metric raises it only above the level it had reached. Absent: same as `isFirm`.
   */
  isSet: Type.Optional(Type.Boolean()),
  /** When the metric last reached the level again, in a later period than that of `since`. */
  reachedAgain: Type.Optional(instant()),
});

/** How a member reached its tier under one policy; never in a response. */
export const ladderShape = record({
  policyId: objectId(),
  /** The levels that the member climbed, lowest first; the last is its present level. */
  steps: list(stepShape, 60),
  /** When the last step must be checked. */
  due: Type.Optional(instant()),
  /** The highest level that the metric had reached at the last check, and the key of the period of that check. */
  seen: Type.Optional(record({ number: count(), key: Type.String({ maxLength: 20 }) })),
});

export type MemberTier = Readonly<Static<typeof tierShape>>;
export type TierLevelRef = Readonly<Static<typeof tierLevelRefShape>>;
export type LadderStep = Readonly<Static<typeof stepShape>>;
/** A member's way up the levels of one policy. Immutable: it is replaced, never changed in place. */
export type Ladder = Readonly<Omit<Static<typeof ladderShape>, 'steps'>> & { readonly steps: readonly LadderStep[] };
