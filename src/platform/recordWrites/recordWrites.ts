import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { InCommit } from '#base/db/transaction';
import type { Doc, Resource } from '#base/schema/resource';
import { checkCreate, createRecord } from './createRecord';
import { createReadUpdate } from './readUpdate';
import type { RecordRules } from './recordRules';
import { removeRecord } from './removeRecord';
import { checkUpdate, updateRecord } from './updateRecord';
import type { Expect, WritableResource } from './writableResource';
import type { WriteContext } from './writeContext';

/**
 * The writes of the records of a resource: one way for requests, imports and definition files. They check everything but
 * the permission. Each is one transaction with its audit entry and what follows from it.
 */
export interface RecordWrites<P extends TProperties = TProperties, B = Partial<Doc<P>>> {
  resource: Resource<P>;
  rules: RecordRules<P, B>;
  createBody: TSchema;
  updateBody: TObject;
  /**
   * Creates a record.
   * @param body as parsed by the schema `createBody`
   * @param inCommit is called in the transaction, with the record
   * @throws ServiceError 1200 naming every field that does not fit
   */
  create(context: WriteContext, body: B, inCommit?: InCommit<Doc<P>>): Promise<Doc<P>>;
  /**
   * Changes a record.
   * @param sent the fields to change, as JSON; null clears one. What is sent as it is stored changes nothing
   * @throws ServiceError 1500 without such a record; 1200 naming every field that does not fit
   */
  update(context: WriteContext, id: ObjectId, sent: unknown, expect?: Expect): Promise<Doc<P>>;
  /**
   * Deletes a record.
   * @throws ServiceError 1500 without such a record; 1200, kind `inUse`, when others name it
   */
  remove(context: WriteContext, id: ObjectId, expect?: Expect): Promise<void>;
  /** Makes the checks of a creation, and writes nothing. @throws as `create` */
  checkCreate(context: WriteContext, body: B): Promise<void>;
  /** Tells whether an update would change a record, with all checks, and writes nothing. @throws as `update` */
  checkUpdate(context: WriteContext, previous: Doc<P>, sent: unknown): Promise<boolean>;
}

/** Makes the writes of the records of a resource. */
export function defineWrites<P extends TProperties, B = Partial<Doc<P>>>(
  resource: Resource<P>,
  rules: RecordRules<P, B> = {},
): RecordWrites<P, B> {
  const { createBody = resource.createBody, updateBody = resource.updateBody } = rules;
  const writing: WritableResource<P, B> = { resource, rules, readUpdate: createReadUpdate(resource, rules) };
  return {
    resource,
    rules,
    createBody,
    updateBody,
    create: (context, body, inCommit) => createRecord(writing, context, body, inCommit),
    update: (context, id, sent, expect) => updateRecord(writing, context, { id, sent, expect }),
    remove: (context, id, expect) => removeRecord(writing, context, id, expect),
    checkCreate: (context, body) => checkCreate(writing, context, body),
    checkUpdate: (context, previous, sent) => checkUpdate(writing, context, previous, sent),
  };
}
