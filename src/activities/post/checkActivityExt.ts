import type { FieldError } from '../../common/errors';
import type { Activity, LineItem } from '../../records/activities/activity';
import { activityHistoryResource } from '../../records/activities/activityHistory';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import { lineItemModel } from '../../records/extensions/extModels';

/** Checks the extension fields of an activity and of its line items by their definitions, and reads their dates. */
export function checkActivityExt(
  activity: Activity,
  definitions: ExtDefinitions,
): { activity: Activity; faults: FieldError[] } {
  const options = { isNew: true, localOffsetMinutes: activity.utcOffset ?? 0 };
  const { ext, faults } = definitions.check(activityHistoryResource.name, activity.ext, options);
  const lineItems = activity.lineItems.map((item, index) => {
    const path = `lineItems.${index}.ext`;
    const checked = definitions.check(lineItemModel, item.ext, { ...options, path });
    faults.push(...checked.faults);
    return withExt<LineItem>(item, checked.ext);
  });
  return { activity: withExt({ ...activity, lineItems }, ext), faults };
}

function withExt<T extends Pick<Activity, 'ext'>>(carrier: T, ext: Activity['ext']): T {
  return ext === undefined || ext === carrier.ext ? carrier : { ...carrier, ext };
}
