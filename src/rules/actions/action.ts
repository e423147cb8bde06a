import type { TObject, TProperties } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import { record } from '../../schema/atoms';
import type { Effect, RejectEffect } from '../language/effect';
import type { FactRef } from '../language/factRef';

/** What an action may look at: facts as read once per priority, and its own position in the rule. */
export interface ActionContext {
  readFact(ref: FactRef): unknown;
  /** Position of the action in its rule. */
  n: number;
}

/** An action of a rule: its name, the schema of its parameters, and the effects they come to. */
export interface ActionDefinition<A> {
  type: string;
  /** Schema of the whole action, `type` included. */
  params: TObject;
  /**
   * The effects of the action, none when it comes to nothing.
   * @throws EvaluationError when an amount cannot be computed
   */
  effects(action: A, context: ActionContext): (Effect | RejectEffect)[];
}

/** The schema of an action: its type and its own parameters, nothing else. */
export function actionShape<const T extends string, P extends TProperties>(type: T, params: P, description: string) {
  return record({ type: Type.Literal(type), ...params }, { description });
}
