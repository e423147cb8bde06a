import { itemModels } from '#records/extensions/extModels';
import type { RuleAction } from '../actions/list';
import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';

/** An extension field that a rule names: a def of this field for the model `of`, when there is one. */
export interface ExtUse {
  model: 'ExtDef';
  fields: { of: string; field: string };
}

/** The models whose extension fields facts have, by the fact and the path before `ext`. */
const models: ReadonlyMap<string, string> = new Map([
  ['activity', 'ActivityHistory'],
  ['activity.lineItems', itemModels.lineItems],
  ['activity.lineItems.product', 'Product'],
  ['activity.tenderItems', itemModels.tenderItems],
  ['lineItem', itemModels.lineItems],
  ['lineItem.product', 'Product'],
  ['location', 'Location'],
  ['member', 'Member'],
  ['partner', 'Partner'],
  ['product', 'Product'],
]);

/** The extension field that a reference to a fact reads. */
export function extOfRef({ fact, path = '$' }: FactRef): ExtUse[] {
  const steps = parsePath(path).flatMap((step) => (step.all || /^\d+$/.test(step.name) ? [] : [step.name]));
  const at = steps.indexOf('ext');
  if (at < 0) return [];
  return extUse(models.get([fact, ...steps.slice(0, at)].join('.')), steps[at + 1]);
}

/** The extension fields that an action sets. */
export function extOfAction(action: RuleAction): ExtUse[] {
  if (action.type !== 'setExt') return [];
  const { on, values }: Readonly<Record<string, unknown>> = action;
  const of = on === 'member' || on === 'activity' ? models.get(on) : undefined;
  return typeof values === 'object' && values !== null ? Object.keys(values).flatMap((name) => extUse(of, name)) : [];
}

/** The extension field of a model at the path of a criterion of a filter. */
export function extOfCriterion(of: string, path: string): ExtUse[] {
  const [parent, field] = path.split('.');
  return parent === 'ext' ? extUse(of, field) : [];
}

function extUse(of: string | undefined, field: string | undefined): ExtUse[] {
  return of === undefined || field === undefined ? [] : [{ model: 'ExtDef', fields: { of, field } }];
}
