import { invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { referringFaults } from '#platform/recordWrites/requireUnused';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { extDefResource } from '#records/extensions/extDef';
import { extModelName, hasExt } from '#records/extensions/extModels';
import type { ExtSchema } from '#records/extensions/extSchema';
import { extSchemaResource } from '#records/extensions/extSchema';
import { prepareExtDef } from './prepareExtDef';

export const extSchemaWrites = defineWrites(extSchemaResource, { prepare: prepareExtSchema });

export const extDefWrites = defineWrites(extDefResource, { prepare: prepareExtDef });

/**
 * Checks that the model of an extension schema has extension fields, and that it stays while rules, queries and filters
 * may name its defs.
 * @throws ServiceError 1200
 */
async function prepareExtSchema(
  body: Partial<ExtSchema>,
  context: OrgContext,
  previous?: ExtSchema,
): Promise<Partial<ExtSchema>> {
  if (body.model !== undefined && !hasExt(body.model, context.services.resources)) {
    throw invalidField('model', 'reference', message('extensions.noModel'));
  }
  const { model } = { ...previous, ...body };
  if (previous && model !== undefined && extModelName(model) !== extModelName(previous.model)) {
    const faults = await referringFaults(extSchemaResource, previous._id, 'model', context);
    if (faults.length > 0) throw validationError(faults);
  }
  return body;
}
