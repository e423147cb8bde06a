import type { DefinitionName } from './definitionNames';

/** What of a kind of definition is shown where; everything else follows from its schema. */
export interface DefinitionView {
  /** The fields that name a record, the first one being what people call it. */
  title: readonly [string, ...string[]];
  /** The fields that a list shows after the title, in this order. */
  columns: readonly string[];
  /** The order of a list at first: a field with an index, because other orders are work for the service; default `_id`. */
  order?: string;
}

/** The view of each kind of definition. */
export const definitionViews: Readonly<Record<DefinitionName, DefinitionView>> = {
  programs: { title: ['name', 'code'], columns: ['code', 'status', 'timezone', 'currencyCode'], order: 'code' },
  pursepolicies: { title: ['name'], columns: ['program', 'primary', 'overdraftLimit', 'costPerPoint'] },
  tierpolicies: { title: ['name'], columns: ['program', 'downgrade'] },
  offers: { title: ['name', 'code'], columns: ['code', 'program', 'priority', 'stackGroup'], order: 'code' },
  rewards: { title: ['name', 'code'], columns: ['code', 'program', 'priority', 'stackGroup'], order: 'code' },
  products: { title: ['name', 'sku'], columns: ['sku', 'category', 'brand', 'price'], order: 'sku' },
  locations: { title: ['name', 'number'], columns: ['number', 'status', 'timezone', 'tags'], order: 'number' },
  partners: { title: ['name', 'code'], columns: ['code', 'status'], order: 'code' },
  namedlists: { title: ['name'], columns: ['model', 'kind'], order: 'name' },
  segments: { title: ['name'], columns: ['kind'], order: 'name' },
  enums: { title: ['value', 'label'], columns: ['type', 'label', 'order'], order: 'type' },
  extschemas: { title: ['name'], columns: ['model'], order: 'model' },
  extdefs: { title: ['field'], columns: ['extSchema', 'type', 'required'] },
  users: { title: ['username'], columns: ['roles', 'isActive', 'kind'] },
  apikeys: { title: ['name'], columns: ['prefix', 'roles', 'expiresAt', 'lastUsedAt'], order: 'name' },
  webhooks: { title: ['url'], columns: ['status', 'events', 'description'] },
};

/** What a record is called: the first of its naming fields that it has. */
export function titleOf(name: DefinitionName, record: Readonly<Record<string, unknown>> | undefined): string {
  const found = definitionViews[name].title.map((field) => record?.[field]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : String(record?.id ?? '');
}
