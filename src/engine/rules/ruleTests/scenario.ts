import type { Message } from '#base/common/messages/message';
import type { ScenarioStep } from '../format/scenarioShape';
import type { JsonPath } from '../source/ruleSource';
import type { TestRun } from './runTest';

/** What a step gave of one thing. Tests name it by any of its names. */
export interface NamedAmount {
  names: readonly string[];
  value: number;
}

/** The outcome of one step of a scenario. */
export interface StepOutcome {
  step: ScenarioStep;
  /** Path of the step in the test. */
  at: JsonPath;
  /** The step in words: `cancel of step 1`. */
  title: string;
  /** By purse: the change since the step before, and what is there after the step. */
  points: Readonly<Record<string, number>>;
  balance: Readonly<Record<string, number>>;
  available: Readonly<Record<string, number>>;
  /** Levels after the step, by tier policy. */
  levels: Readonly<Record<string, string>>;
  /** Of a cancel: the points that it returned, by the key of the rule that gave them. */
  returned: Readonly<Record<string, number>>;
  /** What each offer or reward gave that was applied: minor units or points. */
  offers: readonly NamedAmount[];
  /** How many of each reward were issued; less those withdrawn. */
  rewards: readonly NamedAmount[];
  /** Minor units paid for each reward beside points; less those given back. */
  money: readonly NamedAmount[];
  /** By purse: the change of the share that the head of the family got. */
  pool: readonly NamedAmount[];
  /** Keys of the rules that fired, and why others did not. */
  fired: readonly string[];
  reasons: ReadonlyMap<string, string>;
  errors: readonly (Message & { code: number })[];
  data: Readonly<Record<string, unknown>>;
  /** What moved points, in sentences. */
  notes: readonly string[];
}

/** Runs the steps of a test on a member in memory, as the service would process them. */
export type RunScenario = (run: TestRun) => Promise<StepOutcome[]>;
