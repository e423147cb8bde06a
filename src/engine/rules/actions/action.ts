import type { Static, TObject, TProperties } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { Message } from '#base/common/messages/message';
import { record } from '#base/schema/atoms';
import type { ByLanguage } from '#base/words/language';
import type { Amount } from '../language/amount';
import type { FactRef } from '../language/factRef';
import type { JsonPath } from '../source/ruleSource';
import type { ActingRule, ActionTarget, Refusal } from './actionTarget';

/** What an action may read: facts, each read once per priority, and its own position in the rule. */
export interface ActionContext {
  readFact(ref: FactRef): unknown;
  /** Position of the action in its rule. */
  position: number;
  /** At most this much of what its points are computed from counts: a limit of the rule set it. */
  baseMax?: number | undefined;
}

/**
 * A name or code in an action that refers to a record. A rule is refused when the program has no such record.
 * The record cannot be deleted or renamed while the rule names it. A metric is the exception: it is no record.
 */
export interface ActionName {
  /** Path of the name in the action, with dots. */
  at: string;
  /** `staticSegment`: a segment without a query. `inactivityPurse`: a purse whose points expire by inactivity. */
  kind: 'purse' | 'inactivityPurse' | 'offer' | 'reward' | 'staticSegment' | 'tierPolicy' | 'tierLevel' | 'metric';
  name: string;
  /** Only for `tierLevel`: the name of its tier policy. */
  policy?: string;
}

/** What must be loaded before an action runs. */
export interface ActionNeed {
  /** The member's accrual items: the action may burn or move points. */
  items?: true;
  /** The member who referred this member. */
  referrer?: true;
  /** The head of the member's family. */
  familyHead?: true;
  /** Codes of offers or rewards. */
  coupons?: readonly string[];
  /** Loyalty id of the member who receives points, or the part of the activity that names it. */
  receiver?: string | FactRef;
}

/** Reports the faults of an action in a rule file. */
export interface ActionCheck {
  error(at: JsonPath, fault: Message): void;
  /** Reports a fault at the name of a field. */
  keyError(at: JsonPath, fault: Message): void;
  /** Checks an amount that is no param of its own. */
  amount(at: JsonPath, amount: Amount): void;
  /** Checks that the fact exists and that it has the part at the path of `ref`. */
  fact(at: JsonPath, ref: FactRef): void;
}

/**
 * An action in words, by language; a language without words gets English. Another version of the service may have
 * written the params, so their types are unknown.
 */
type ActionWords = ByLanguage<(params: Readonly<Record<string, unknown>>) => string>;

/** Everything the service knows about one action. A new action needs a definition and a line in `actionDefinitions`. */
export interface ActionDefinition<A, E extends { type: string }> {
  type: string;
  /** Schema of the whole action, `type` included. */
  params: TObject;
  /** Params that are amounts: a number, or a computation from a fact. */
  amounts?: readonly (keyof A & string)[];
  /** The facts that the action reads beside those in its {@link amounts}. */
  reads?(action: A): FactRef[];
  /** The names and codes that the action refers to. */
  names?(action: A): ActionName[];
  needs?(action: A): ActionNeed;
  /** Checks what neither the schema nor {@link names} covers. */
  check?(action: A, check: ActionCheck): void;
  /** How limits of points and the rule's budget count the `points` of its effects. Absent: they do not count them. */
  points?: 'awarded' | 'redeemed' | 'transferred';
  /** A rule for the activity type Cancellation may have this action. */
  inCancellation?: true;
  /**
   * What a cancellation does with its effects. `returned`: it undoes the points, metrics, uses and referrals that the
   * {@link ActionTarget} has recorded. `stays`: it leaves them, and its log says so. `none`: there is nothing to undo.
   */
  onCancel: 'returned' | 'stays' | 'none';
  words: ActionWords;
  /**
   * The effects of the action; empty when it changes nothing.
   * @throws EvaluationError when an amount cannot be computed
   */
  effects(action: A, context: ActionContext): E[];
  /** Applies an effect, or returns why that is impossible. Absent: the decision handles the effect (see `reject`). */
  apply?(target: ActionTarget, effect: E, rule: ActingRule): Refusal;
}

/** What the file of an action passes to {@link defineAction}. */
interface ActionSource<T extends string, P extends TProperties, A, E extends { type: string }>
  extends Omit<ActionDefinition<A, E>, 'type' | 'params'> {
  type: T;
  description: string;
  params: P;
}

type ActionOf<T extends string, P extends TProperties> = { type: T } & Static<TObject<P>>;

/** Makes the definition of an action. Its schema allows the type and the given parameters, and no other field. */
export function defineAction<const T extends string, P extends TProperties, E extends { type: string }>({
  description,
  params,
  ...more
}: ActionSource<T, P, ActionOf<T, P>, E>): ActionDefinition<ActionOf<T, P>, E> {
  const fullDescription = more.onCancel === 'stays' ? `${description}; stays after a cancel` : description;
  const fields: TProperties = { type: Type.Literal(more.type), ...params };
  return { ...more, params: record(fields, { description: fullDescription }) };
}
