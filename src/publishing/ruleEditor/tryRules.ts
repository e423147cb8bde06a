import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { type BatchServices, tryActivity } from '#activities/pipeline/processBatch';
import { loadParseContext, parseActivity } from '#activities/post/parseActivity';
import { validationError } from '#base/common/errors';
import { count, freeObject, instant, list, record } from '#base/schema/atoms';
import { pickOrigin } from '#base/tracing/origin';
import { indexRules, type RuleSet } from '#engine/rules/evaluate/ruleSet';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import { readLanguage } from '#platform/http/languageArgument';
import { type Answer, ok, type RequestWith } from '#platform/http/route';
import { deriveRuleId } from '#publishing/rulesets/publishRules';
import { activityMember, explainedMatch, shownResult } from '#records/activities/shownResult';
import { editedFiles } from './editedFiles';
import { readEdited } from './readEdited';
import { ruleFieldError } from './ruleFieldError';

/** The body of `POST /rules/try`. */
export const tryBody = record({
  files: editedFiles,
  activity: freeObject({ description: 'The activity as a client would post it, with its member' }),
  asOf: Type.Optional(instant({ description: 'The moment that counts as now' })),
});

/** The answer of `POST /rules/try`: the same as for a post with `persist=false` and `explain=true`. */
export const tryAnswer = record({
  result: shownResult,
  member: Type.Optional(activityMember),
  ruleMatch: Type.Optional(list(explainedMatch, rulesMax)),
  omittedRules: Type.Optional(count({ description: 'Rules that ruleMatch leaves out' })),
});

type TryServices = Omit<BatchServices, 'openTurn'>;

/**
 * `POST /rules/try`: what an activity of a member would do if the files were in force. It writes nothing.
 * @throws ServiceError 1200 with the faults of the files, or with those of the activity
 */
export async function tryRules(request: RequestWith<TryServices>): Promise<Answer> {
  const language = readLanguage(request.query);
  const { services, principal, endsAt } = request;
  const { files, activity, asOf = request.now } = request.body as Static<typeof tryBody>;
  const parsed = await parseActivity(activity, await loadParseContext(request, asOf));
  const ruleSet = await editedRuleSet(request, files);
  // Everything else is loaded as for a post: the member, its limits and budgets, and the facts that the rules read.
  const tried = { ...services, ruleSets: { ...services.ruleSets, current: async () => ruleSet } };
  const outcome = await tryActivity(
    tried,
    {
      author: { org: principal.org, userId: principal.userId },
      versions: principal.versions,
      historyId: new ObjectId(),
      origin: pickOrigin(request),
      activity: parsed,
      explain: true,
      language,
      endsAt,
    },
    asOf,
  );
  const { result, member, ruleMatch, omittedRules } = outcome;
  return ok({ result, member, ...(ruleMatch ? { ruleMatch } : {}), ...(omittedRules ? { omittedRules } : {}) });
}

/** The rules of the programs of the files, as a load would read them. Rules in force keep their limits and budgets. */
async function editedRuleSet(
  { services, principal }: Pick<RequestWith<TryServices>, 'services' | 'principal'>,
  files: Static<typeof editedFiles>,
): Promise<RuleSet> {
  const read = await readEdited(services, principal.org, files);
  if (read.errors.length > 0) throw validationError(read.errors.map(ruleFieldError));
  const rules = read.rules.map((draft) => ({ ...draft, _id: deriveRuleId(principal.org, draft), version: 1 }));
  return indexRules(rules, read.lookupTables);
}
