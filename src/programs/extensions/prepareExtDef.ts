import { RE2JS } from 're2js';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { type ExtDef, extDefResource } from '#records/extensions/extDef';

/** The most definitions of one extension schema. */
const defsMax = 200;

/**
 * Checks rules of an extension definition that the schema cannot express. The body is checked as it will be stored: an
 * enum names its type, the pattern is valid, and the bounds are in order. Settings that do not belong to the type are
 * ignored.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareExtDef(
  body: Partial<ExtDef>,
  context: OrgContext,
  previous?: ExtDef,
): Promise<Partial<ExtDef>> {
  const faults = definitionFaults({ ...previous, ...body });
  // Only a creation names the schema.
  if (body.extSchema) faults.push(...(await roomFaults(body.extSchema, context)));
  if (faults.length > 0) throw validationError(faults);
  return body;
}

function definitionFaults({ field, type, enumType, pattern, min, max }: Partial<ExtDef>): FieldError[] {
  const faults: FieldError[] = [];
  // Every JavaScript object has a property of this name, so the field could never be missing.
  if (field !== undefined && field in Object.prototype) {
    faults.push({ path: 'field', kind: 'pattern', ...message('extensions.objectName') });
  }
  if (type === 'enum' && enumType === undefined) {
    faults.push({ path: 'enumType', kind: 'required', ...message('extensions.requiredOfEnum') });
  }
  if (pattern !== undefined && !isPattern(pattern)) {
    faults.push({ path: 'pattern', kind: 'format', ...message('extensions.notRe2') });
  }
  if (min !== undefined && max !== undefined && min > max) {
    faults.push({ path: 'max', kind: 'minimum', ...message('extensions.maxBelowMin') });
  }
  return faults;
}

async function roomFaults(extSchema: ExtDef['extSchema'], { services, principal }: OrgContext): Promise<FieldError[]> {
  const defs = collectionOf(services.db, extDefResource);
  if ((await defs.countDocuments({ org: principal.org, extSchema }, { limit: defsMax, ...readLocal })) < defsMax)
    return [];
  return [{ path: 'extSchema', kind: 'maxItems', ...message('extensions.tooMany', { max: defsMax }) }];
}

function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
