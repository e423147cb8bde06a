import type { ObjectId } from 'bson';
import type { ProgramCatalog } from '../../programs/programCatalog';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { Member } from '../../records/members/member';
import type { ActivityRules, RuleSet } from '../../rules/evaluate/ruleSet';
import type { NamedRecords } from '../state/batchContext';
import type { PipelineRequest } from '../state/pipelineRequest';

/** What is known of a batch after the first rounds of reading. */
export interface BatchScope {
  org: ObjectId;
  now: Date;
  requests: readonly PipelineRequest[];
  members: readonly Member[];
  /** Histories that cancellations of this batch aim at. */
  originals: readonly ActivityHistory[];
  ruleSet: RuleSet | undefined;
  catalog: ProgramCatalog;
  definitionsVersion: number | undefined;
  named: NamedRecords;
  /** The member that a work is about; see `memberFinder`. */
  memberOf(request: PipelineRequest): Member | undefined;
  /** The rules that a work meets; undefined when it is about nobody or no rules are in force. */
  rulesOf(request: PipelineRequest): ActivityRules | undefined;
}
