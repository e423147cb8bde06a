import type { Static, TObject, TProperties } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import { record } from '../../schema/atoms';
import type { FactRef } from '../language/factRef';
import type { JsonPath } from '../source/ruleSource';
import type { ActingRule, ActionTarget, Refusal } from './actionTarget';

/** What an action may look at: facts as read once per priority, and its own position in the rule. */
export interface ActionContext {
  readFact(ref: FactRef): unknown;
  /** Position of the action in its rule. */
  n: number;
}

/**
 * A name or code that an action holds, at a path in it. The rule is refused when the program has no such record, and the
 * record cannot be deleted or renamed while the rule names it.
 */
export interface ActionName {
  at: string;
  /** `staticSegment`: one that members can be put into. `inactivityPurse`: one whose points expire by inactivity. */
  kind: 'purse' | 'inactivityPurse' | 'offer' | 'reward' | 'staticSegment' | 'tierPolicy' | 'tierLevel' | 'metric';
  name: string;
  /** Of a tier level: the name of its policy. */
  policy?: string;
}

/** What an action needs loaded before it is carried out. */
export interface ActionNeed {
  /** It may take points out of a purse: the member's accrual items. */
  items?: true;
  /** Who referred the member. */
  referrer?: true;
  /** Code of an offer or a reward. */
  coupon?: string;
  /** Loyalty id of another member, or where the activity names it. */
  receiver?: string | FactRef;
}

/** Tells what is wrong with an action in its file. */
export interface ActionCheck {
  error(at: JsonPath, message: string): void;
  /** Checks that a fact exists, and has the part that the path selects. */
  fact(at: JsonPath, ref: FactRef): void;
}

/** All there is to an action of a rule. A new action is one definition and a line in {@link actionDefinitions}. */
export interface ActionDefinition<A, E extends { type: string }> {
  type: string;
  /** Schema of the whole action, `type` included. */
  params: TObject;
  /** Params that are amounts: a number, or what is worked out from a fact. */
  amounts?: readonly (keyof A & string)[];
  /** What it names. */
  names?(action: A): ActionName[];
  needs?(action: A): ActionNeed;
  /** Checks what neither the schema nor {@link names} can tell. */
  check?(action: A, check: ActionCheck): void;
  /** How limits of points and the budget of the rule count the `points` of its effects; absent: they do not. */
  points?: 'awarded' | 'redeemed' | 'transferred';
  /** It may stand in a rule for Cancellation. */
  inCancellation?: true;
  /** It in words, from params that another version of the service may have written. */
  words(params: Readonly<Record<string, unknown>>): string;
  /**
   * The effects of the action, none when it comes to nothing.
   * @throws EvaluationError when an amount cannot be computed
   */
  effects(action: A, context: ActionContext): E[];
  /** Carries out an effect, or answers why that cannot be. Absent: the decision itself acts on it (see `reject`). */
  apply?(target: ActionTarget, effect: E, rule: ActingRule): Refusal;
}

/** An action as its file writes it: its parameters beside their description. */
interface ActionSource<T extends string, P extends TProperties, A, E extends { type: string }>
  extends Omit<ActionDefinition<A, E>, 'type' | 'params'> {
  type: T;
  description: string;
  params: P;
  /**
   * What a cancellation does: points, metrics, uses and referrals that a target has noted are given back; `stays` is
   * told to those who write rules; `none` leaves nothing behind.
   */
  onCancel: 'givenBack' | 'stays' | 'none';
}

type ActionOf<T extends string, P extends TProperties> = { type: T } & Static<TObject<P>>;

/** Makes the definition of an action; its type and its own parameters are all that it may have. */
export function defineAction<const T extends string, P extends TProperties, E extends { type: string }>({
  description,
  params,
  onCancel,
  ...more
}: ActionSource<T, P, ActionOf<T, P>, E>): ActionDefinition<ActionOf<T, P>, E> {
  const told = onCancel === 'stays' ? `${description}; stays after a cancel` : description;
  const fields: TProperties = { type: Type.Literal(more.type), ...params };
  return { ...more, params: record(fields, { description: told }) };
}
