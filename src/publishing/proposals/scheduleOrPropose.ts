import { type Static, Type } from '@sinclair/typebox';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { instant, integerMax, record, withValues } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { type Answer, ok, type Request } from '#platform/http/route';
import { sentFiles } from '#publishing/rulesets/files/sentFiles';
import { checkLater, type LaterRules, scheduleRules } from '#publishing/rulesets/scheduleRules';
import { propose } from './propose';
import { reasonText } from './ruleProposal';

const versionNumber = Type.Integer({ minimum: 1, maximum: integerMax });

const none = { type: 'null' };

/** The body of `POST /rulesets/schedule`. */
export const scheduleBody = record(
  {
    from: instant({ description: 'When they come into force, at least a second later than now' }),
    version: Type.Optional(versionNumber),
    files: Type.Optional(sentFiles),
    reason: Type.Optional({ ...reasonText, description: 'Why, for the person who approves it' }),
  },
  { 'x-document': { oneOf: [withValues(['files'], { version: none }), withValues(['version'], { files: none })] } },
);

/** The answer of `POST /rulesets/schedule` when the rules are scheduled. */
export const scheduleAnswer = record({ version: versionNumber, from: instant() });

/**
 * `POST /rulesets/schedule`: schedules rules for an instant, or stores them as a proposal where a second person has to
 * approve them.
 * @throws ServiceError as scheduling does
 */
export async function scheduleOrPropose(request: Request): Promise<Answer> {
  const { from, files, version, reason } = request.body as Static<typeof scheduleBody>;
  const rules = readLaterRules(files, version);
  const { db, clock, config } = request.services;
  const source = { db, clock, author: requestAuditor(request) };
  if (config.RULES_APPROVAL === 'off') return ok({ version: await scheduleRules(source, rules, from), from });
  await checkLater(source, rules, from);
  return propose(request, { action: 'schedule', reason, from, ruleSet: version, files: files ?? [] });
}

function readLaterRules(files: Static<typeof sentFiles> | undefined, version: number | undefined): LaterRules {
  const rules = files ? { files } : version === undefined ? undefined : { version };
  if (!rules || (files && version !== undefined)) {
    throw invalidField('files', 'oneOf', message('proposals.rulesOrVersion'));
  }
  return rules;
}
