import type { ObjectId } from 'bson';
import type { NamedRecords } from '#activities/state/batchContext';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import type { ActivityRules, RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Member } from '#records/members/member';

/** What is known about a batch after the first rounds of queries. */
export interface BatchScope {
  org: ObjectId;
  now: Date;
  requests: readonly PipelineRequest[];
  members: readonly Member[];
  /** Histories that the cancellations of this batch refer to, and those whose reward costs they may return. */
  originals: readonly ActivityHistory[];
  ruleSet: RuleSet | undefined;
  catalog: ProgramCatalog;
  definitionsVersion: number | undefined;
  named: NamedRecords;
  /** The member of a request; see `memberFinder`. */
  memberOf(request: PipelineRequest): Member | undefined;
  /** The rules for a request. Undefined when its member is unknown or no rules are in force. */
  rulesOf(request: PipelineRequest): ActivityRules | undefined;
}
