/** Faults of jobs, sandboxes and reports. */
export const operationMessages = {
  'jobs.notInTime': 'The job did not finish in time; its timer does the rest',
  'sandbox.changedWhileCopied': 'Definitions or rules of {code} were changed while they were copied',
  'sandbox.clockNotLater': 'must be later than the clock of the sandbox',
  'sandbox.clockOrAdvance': 'or advance is required, and not both',
  'sandbox.movedOrWiped': 'The sandbox is being moved or wiped already',
  'sandbox.noSandbox': 'This org is no sandbox: it has no clock of its own and cannot be wiped',
  'sandbox.twentyYearsAhead': 'may be at most twenty years ahead',
  'sandbox.twoYearsLater': 'may be at most two years later',
  'sandbox.unprocessed': '{left} queued activities of the sandbox are not processed',
  'insights.fromBeforeTo': 'from must be before to',
  'insights.programHexId': 'program must be 24 hexadecimal characters',
  'insights.programId': 'program must be the id of a program: 24 hexadecimal characters',
  'insights.programNeeded': 'program is needed: the id of a program',
  'insights.stepValues': 'by must be one of {steps}',
  'insights.tooManyRecords': 'There are too many records to read in the time of a request',
  'insights.tooManySteps': 'The period has more than {max} steps; take longer ones',
} as const;
