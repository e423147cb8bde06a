import assert from 'node:assert';
import type { Outcome, RequestKey } from '#activities/state/pipelineRequest';
import { canonicalJson } from '#base/common/canonicalJson';
import { ServiceError, validationError } from '#base/common/errors';
import type { Language } from '#base/words/language';
import type { ScenarioStep } from '#engine/rules/format/scenarioShape';
import type { TestRun } from '#engine/rules/ruleTests/runTest';
import type { RunScenario, StepOutcome } from '#engine/rules/ruleTests/scenario';
import { type ReadStep, readScenario } from '#engine/rules/scenario/scenarioSteps';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import { awardedSoFar } from './awardedSoFar';
import { memberBalances } from './balances';
import { ScenarioWorld } from './scenarioWorld';
import { type StepResult, stepOutcome } from './stepOutcome';

/**
 * Runs the steps of a test as the service would process them (docs/design/rules.md, Tests). Reasons are in English.
 */
export const runScenario: RunScenario = (run) => runSteps(run, 'en');

/** Makes a {@link runScenario} whose reasons are in the given language. */
export function runScenarioIn(language: Language): RunScenario {
  return (run) => runSteps(run, language);
}

async function runSteps(run: TestRun, language: Language): Promise<StepOutcome[]> {
  const { records, timezone } = run.program;
  assert(records, 'tests with steps run where the definitions of the program are known');
  const { activityTypes, codes } = run.definitions;
  const { start, steps } = readScenario(run.test, { activityTypes, codes, timezone, from: run.rule.effective?.from });
  const world = new ScenarioWorld(run, records, start, language);
  const outcomes: StepOutcome[] = [];
  /** The ids of the histories of the steps so far. */
  const made: string[] = [];
  for (const [index, read] of steps.entries()) {
    const before = { balances: memberBalances(world), awarded: awardedSoFar(world) };
    const original = read.step.cancel && world.histories.get(made[read.step.cancel.step - 1] ?? '');
    const did = await runStep(world, read, original);
    made.push(String(did.outcome?.result.data.activityId));
    outcomes.push(
      stepOutcome(world, run, { step: read.step, index, before, original, ...did, caused: world.takeCaused() }),
    );
  }
  return outcomes;
}

async function runStep(
  world: ScenarioWorld,
  { step, posted, now, faults }: ReadStep,
  original: ActivityHistory | undefined,
): Promise<StepResult> {
  try {
    if (faults.length > 0) throw validationError([...faults]);
    await world.advanceTo(now);
    if (!posted) return {};
    return {
      outcome: step.cancel ? await cancelStep(world, step.cancel, posted, original) : await post(world, step, posted),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { refused: error };
  }
}

function post(world: ScenarioWorld, { activity: sent }: ScenarioStep, posted: Activity): Promise<Outcome> {
  const key = scenarioRequestKey(posted, sent);
  return world.post({ activity: { ...posted, memberID: world.member._id }, ...(key && { key }) });
}

/** The key as for a real post: a second activity with the same key is the same activity, or is refused. */
function scenarioRequestKey({ externalTxnId }: Activity, sent: unknown): RequestKey | undefined {
  return externalTxnId === undefined ? undefined : { key: externalTxnId, hash: canonicalJson(sent) };
}

function cancelStep(
  world: ScenarioWorld,
  { value }: NonNullable<ScenarioStep['cancel']>,
  posted: Activity,
  original: ActivityHistory | undefined,
): Promise<Outcome> {
  assert(original, 'a cancel names an earlier step with an activity');
  const { _id: originalId } = original;
  const { lineItems } = posted;
  return world.post({
    activity: { ...posted, originalTxnId: originalId },
    cancel: {
      originalId,
      ...(value === undefined ? {} : { value }),
      ...(lineItems.length > 0 ? { lines: lineItems } : {}),
    },
  });
}
