import type { DefinitionName } from './definitionNames';

/** What of a kind of definition is shown where; everything else follows from its schema. */
export interface DefinitionView {
  /** The fields that name a record, the first one being what people call it. */
  title: readonly [string, ...string[]];
  /** The fields that a list shows after the title, in this order. */
  columns: readonly string[];
}

/** The view of each kind of definition. */
export const definitionViews: Readonly<Record<DefinitionName, DefinitionView>> = {
  programs: { title: ['name', 'code'], columns: ['code', 'status', 'timezone', 'currencyCode'] },
  pursepolicies: { title: ['name'], columns: ['program', 'primary', 'overdraftLimit', 'costPerPoint'] },
  tierpolicies: { title: ['name'], columns: ['program', 'downgrade'] },
  offers: { title: ['name', 'code'], columns: ['code', 'program', 'priority', 'stackGroup'] },
  rewards: { title: ['name', 'code'], columns: ['code', 'program', 'priority', 'stackGroup'] },
  products: { title: ['name', 'sku'], columns: ['sku', 'category', 'brand', 'price'] },
  locations: { title: ['name', 'number'], columns: ['number', 'status', 'timezone', 'tags'] },
  partners: { title: ['name', 'code'], columns: ['code', 'status'] },
  namedlists: { title: ['name'], columns: ['model', 'kind'] },
  segments: { title: ['name'], columns: ['kind'] },
  enums: { title: ['value', 'label'], columns: ['type', 'label', 'order'] },
  extschemas: { title: ['name'], columns: ['model'] },
  extdefs: { title: ['field'], columns: ['extSchema', 'type', 'required'] },
  users: { title: ['username'], columns: ['roles', 'isActive', 'kind'] },
  apikeys: { title: ['name'], columns: ['prefix', 'roles', 'expiresAt', 'lastUsedAt'] },
  webhooks: { title: ['url'], columns: ['status', 'events', 'description'] },
};

/** What a record is called: the first of its naming fields that it has. */
export function titleOf(name: DefinitionName, record: Readonly<Record<string, unknown>> | undefined): string {
  const found = definitionViews[name].title.map((field) => record?.[field]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : String(record?.id ?? '');
}
