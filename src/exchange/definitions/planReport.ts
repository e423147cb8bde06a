import { labelOfKey } from './definitionKeys';
import type { DefinitionPlan, FieldChange } from './planDefinitions';

/** A plan as JSON. The values are as files have them; `from` or `to` is absent where the field has no value. */
export interface PlanReport {
  /** Whether the org has every definition of the file just so, and nothing is to be deleted. */
  isSame: boolean;
  same: number;
  created: { resource: string; key: string; body: Record<string, unknown> }[];
  changed: { resource: string; key: string; changes: FieldChange[] }[];
  deleted: { resource: string; key: string }[];
}

/** What {@link PlanReport} says of a plan. */
export function planReport({ created, changed, deleted, same }: DefinitionPlan): PlanReport {
  return {
    isSame: created.length + changed.length + deleted.length === 0,
    same,
    created: created.map(({ definition, key, body }) => ({ ...named(definition.resource.path, key), body })),
    changed: changed.map(({ definition, key, changes }) => ({ ...named(definition.resource.path, key), changes })),
    deleted: deleted.map(({ resource, key }) => named(resource.path, key)),
  };
}

function named(resource: string, key: string) {
  return { resource, key: labelOfKey(key) };
}

/** A plan in lines for people: `+` is created, `~` changed, `-` deleted. */
export function reportLines({ same, created, changed, deleted }: PlanReport): string[] {
  return [
    ...created.flatMap(({ resource, key, body }) => [`+ ${resource} ${key}`, ...Object.entries(body).map(fieldLine)]),
    ...changed.flatMap(({ resource, key, changes }) => [`~ ${resource} ${key}`, ...changes.map(changeLine)]),
    ...deleted.map(({ resource, key }) => `- ${resource} ${key}`),
    `${created.length} to create, ${changed.length} to change, ${deleted.length} to delete, ${same} the same`,
  ];
}

function fieldLine([name, value]: [string, unknown]): string {
  return `    ${name}: ${short(value)}`;
}

function changeLine({ path, from, to }: FieldChange): string {
  return `    ${path}: ${short(from)} -> ${short(to)}`;
}

/** The most characters of a value in a line. */
const shownMax = 200;

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
