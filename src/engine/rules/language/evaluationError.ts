/** An evaluation error of one rule; reported with code 2900. */
export class EvaluationError extends Error {}
