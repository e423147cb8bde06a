import type { FormTexts } from '../../i18n/formTexts';

/** A JSON schema, as far as the form reads it. */
export interface Schema {
  const?: string;
  $ref?: string;
  description?: string;
  enum?: readonly unknown[];
  type?: string | readonly string[];
  pattern?: string;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema | boolean>>;
  required?: readonly string[];
  default?: unknown;
  'x-form'?: FormTexts;
}

/** The JSON Schema of rule files with the names of the org, as `GET /rules/schema` answers it. */
export interface RuleSchema extends Schema {
  $defs: Readonly<Record<string, Schema>>;
}

/** A word that may be chosen, with what it means. */
export interface Choice {
  name: string;
  description: string;
}

/** A fact that conditions may name, with the paths into it that the service proposes. */
export interface KnownFact extends Choice {
  paths: readonly string[];
  /** It has params. */
  hasParams: boolean;
}

/** How a fact is compared: the operators that fit it, and what its values are. */
export interface Comparing {
  operators: readonly Choice[];
  kind: 'text' | 'number' | 'boolean' | 'date' | 'list' | 'object' | 'any';
  /** The values that the org knows. */
  values: readonly string[];
}

/** The facts that the schema knows. */
export function knownFacts({ $defs }: RuleSchema): KnownFact[] {
  const names = schemaAt(comparisonOf($defs).properties?.fact)?.anyOf ?? [];
  return names.map(({ const: name = '', description = '' }) => {
    const parts = ($defs.reference?.allOf ?? []).find((each) => factOf(each) === name)?.then?.properties ?? {};
    const paths = (schemaAt(parts.path)?.anyOf ?? []).flatMap((each) => each.enum ?? []).filter(isText);
    return { name, description, paths, hasParams: schemaAt(parts.params) !== undefined };
  });
}

/** The schema of the params of a fact; undefined when it has none. */
export function paramsSchema({ $defs }: RuleSchema, fact: string): Schema | undefined {
  return schemaAt(($defs.reference?.allOf ?? []).find((each) => factOf(each) === fact)?.then?.properties?.params);
}

/** How a fact, or what a path selects of it, is compared; undefined when the schema does not know it. */
export function comparing({ $defs }: RuleSchema, fact: string, path: string | undefined): Comparing | undefined {
  const ofFact = ($defs.compared?.allOf ?? []).find((each) => factOf(each) === fact)?.then?.allOf ?? [];
  const found = ofFact.find((each) => {
    const pattern = schemaAt(each.if?.properties?.path)?.pattern;
    if (pattern === undefined || path === undefined) return pattern === undefined && path === undefined;
    // eslint-disable-next-line security/detect-non-literal-regexp -- the service made it from its own shapes
    return new RegExp(pattern).test(path);
  });
  const name = found?.then?.$ref?.replace('#/$defs/', '');
  const compared = name === undefined ? undefined : $defs[name];
  if (!compared || name === undefined) return undefined;
  const kind = /^([a-z]+)Compared/.exec(name)?.[1] as Comparing['kind'];
  const operators = schemaAt(compared.properties?.operator)?.anyOf ?? [];
  return {
    kind,
    operators: operators.flatMap(({ const: each, description = '' }) => (each ? [{ name: each, description }] : [])),
    values: valuesIn(compared.allOf?.[0]?.then),
  };
}

/** The values that a schema names anywhere in it. */
export function valuesIn(schema: Schema | boolean | undefined): string[] {
  const own = schemaAt(schema);
  if (!own) return [];
  const parts = [...(own.anyOf ?? []), ...(own.items ? [own.items] : []), ...Object.values(own.properties ?? {})];
  return [...new Set([...(own.enum ?? []).filter(isText), ...parts.flatMap(valuesIn)])];
}

/** The types of action, with what each does. */
export function actionTypes({ $defs }: RuleSchema): Choice[] {
  return Object.values($defs).flatMap(({ description = '', properties }) => {
    const name = schemaAt(properties?.type)?.const;
    return name === undefined ? [] : [{ name, description }];
  });
}

function comparisonOf($defs: RuleSchema['$defs']): Schema {
  let at = $defs.anyCondition ?? {};
  while (at.else) at = at.else;
  return at;
}

function factOf(schema: Schema): string | undefined {
  return schemaAt(schema.if?.properties?.fact)?.const;
}

function schemaAt(schema: Schema | boolean | undefined): Schema | undefined {
  return typeof schema === 'object' ? schema : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
