import type { SetExtEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Sets extension fields of the member or the activity, checked by the definitions of the org. */
export const setExt: CarryOut<SetExtEffect> = (target, { type, on, values }, rule) => {
  const { activity, context } = target.input;
  const before = on === 'member' ? target.memberDoc().ext : (target.activityExt ?? activity.ext);
  const model = on === 'member' ? 'Member' : 'ActivityHistory';
  const { ext = {}, faults } = context.extDefinitions.check(model, { ...before, ...values }, { isNew: false });
  const [fault] = faults;
  if (fault) return { code: 2900, message: `Rule ${rule.key}: ${fault.path} ${fault.message}`, status: 422 };
  if (on === 'member') target.setOwn({ ext });
  else target.activityExt = ext;
  target.log.record(type, rule, { on, values });
  return undefined;
};
