import type { FailedCondition } from './decision';

/** A condition after a run of json-rules-engine, which writes results into the nodes that it evaluated. */
interface EvaluatedCondition {
  all?: readonly unknown[];
  any?: readonly unknown[];
  not?: unknown;
  fact?: string;
  path?: string;
  operator?: string;
  result?: boolean;
  factResult?: unknown;
  valueResult?: unknown;
}

/**
 * The first comparison, in the order of the file, that made evaluated conditions false. Inside a `not` it is a
 * comparison that was true, and its operator is reported as `not:<operator>`.
 */
export function failedCondition(root: unknown, outcome = false): FailedCondition | undefined {
  if (!isNode(root)) return undefined;
  const children = root.all ?? root.any ?? (root.not === undefined ? undefined : [root.not]);
  if (!children) return leaf(root, outcome);
  const wanted = root.not === undefined ? outcome : !outcome;
  const culprit = children.filter(isNode).find(({ result }) => result === wanted);
  return culprit && failedCondition(culprit, wanted);
}

function isNode(value: unknown): value is EvaluatedCondition {
  return typeof value === 'object' && value !== null;
}

function leaf({ fact, path, operator, factResult, valueResult }: EvaluatedCondition, isTrue: boolean) {
  if (fact === undefined || operator === undefined) return undefined;
  return {
    fact,
    ...(path === undefined ? {} : { path }),
    operator: isTrue ? `not:${operator}` : operator,
    expected: valueResult,
    actual: factResult,
  };
}
