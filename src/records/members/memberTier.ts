import { type Static, Type } from '@sinclair/typebox';
import { count, instant, list, named, objectId, record, signed, text } from '#base/schema/atoms';

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
    keep: Type.Optional(
      record(
        {
          metric: text(150),
          atLeast: count({ description: 'The count from which on the member keeps the level' }),
          counted: signed({ description: 'What the member has counted for it so far' }),
        },
        { description: 'The challenge of a level that a rule gave until expiresOn' },
      ),
    ),
  }),
);

const stepShape = record({
  level: tierLevelRefShape,
  since: instant(),
  expiresOn: Type.Optional(instant()),
  /**
   * When the first of the consecutive terms up to `expiresOn` began. Later terms keep its day of the month and its time
   * of day. Absent: see `nextEnd`.
   */
  termsFrom: Type.Optional(instant()),
  /**
   * A cancellation cannot revoke this level: a rule set it, a challenge kept it, or it came from a merge. Also, unless
   * late activities count, when it was renewed, or is the result of a downgrade.
   */
  isFirm: Type.Boolean(),
  /**
   * A rule set it. In that period the metric raises it only above the level it had reached. Absent: same as `isFirm`.
   */
  isSet: Type.Optional(Type.Boolean()),
  /**
   * True when only a challenge kept it, and the metric does not reach it. When the metric does, the later of both ends
   * counts.
   */
  isKept: Type.Optional(Type.Boolean()),
  /** When the metric last reached the level again, in a later period than `since`. */
  reachedAgain: Type.Optional(instant()),
  /** A date in the period that reached the level. Absent: `since`. */
  reachedBy: Type.Optional(instant()),
});

/** A level that a rule gave for a time. */
const grantShape = record({
  level: tierLevelRefShape,
  since: instant(),
  expiresOn: instant(),
  /** The challenge. `from`: the first day that counts, YYYY-MM-DD in the program's time zone. */
  keep: Type.Optional(record({ metric: text(150), atLeast: count(), counted: signed(), from: text(10) })),
});

/** Most levels for a time under one policy. */
export const grantsMax = 10;

/** Most periods that a ladder notes. */
export const periodsMax = 60;

/** How a member reached its tier under one policy; never in a response. */
export const ladderShape = record({
  policyId: objectId(),
  /** The levels that the member climbed, lowest first; the last is its present level, apart from grants. */
  steps: list(stepShape, 60),
  /**
   * The periods that reached a level, when late activities count: a date in each, and the highest level that it
   * reached. Absent: those of the steps.
   */
  reached: Type.Optional(list(record({ level: tierLevelRefShape, at: instant() }), periodsMax)),
  /** When the ladder must be checked. */
  due: Type.Optional(instant()),
  /** The highest level that the metric had reached at the last check, and the key of the period of that check. */
  seen: Type.Optional(record({ number: count(), key: Type.String({ maxLength: 20 }) })),
  /** The levels that rules gave for a time and that have not ended. */
  grants: Type.Optional(list(grantShape, grantsMax)),
  /**
   * The level that the member has for good. `isBySum`: only a lifetime sum gave it, so a cancellation may revoke it.
   */
  lifetime: Type.Optional(record({ level: tierLevelRefShape, since: instant(), isBySum: Type.Boolean() })),
  /**
   * Since when the member has been at a level or above it without a break. It is noted for levels that become lifetime
   * levels by this.
   */
  held: Type.Optional(list(record({ number: count(), since: instant() }), 50)),
});

export type MemberTier = Readonly<Static<typeof tierShape>>;
export type TierLevelRef = Readonly<Static<typeof tierLevelRefShape>>;
export type LadderStep = Readonly<Static<typeof stepShape>>;
export type Grant = Readonly<Static<typeof grantShape>>;
/** A member's way up the levels of one policy. Immutable: it is replaced, never changed in place. */
export type Ladder = Readonly<Omit<Static<typeof ladderShape>, 'steps' | 'grants' | 'reached'>> & {
  readonly steps: readonly LadderStep[];
  readonly grants?: readonly Grant[];
  readonly reached?: readonly Readonly<{ level: TierLevelRef; at: Date }>[];
};
