import { useQuery } from '@tanstack/react-query';
import type { FormTexts } from '../../i18n/formTexts';

/** A JSON schema, as far as the console reads it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  enum?: readonly (string | null)[];
  description?: string;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  writeOnly?: boolean;
  /** The model that the ids refer to. */
  'x-ref'?: string;
  /** A date that clients write in one of several formats. */
  'x-date'?: true;
  /** What forms say of the field, in place of the description; empty: nothing. */
  'x-help'?: string;
  /** What the definition of the field says for forms, by language. */
  'x-form'?: FormTexts;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** The OpenAPI document of the service, as far as the console reads it. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** The OpenAPI document of the service that served this page; read once. */
export function useDocument(): ApiDocument | undefined {
  const { data } = useQuery({ queryKey: ['openapi.json'], queryFn: read, staleTime: Number.POSITIVE_INFINITY });
  return data;
}

async function read({ signal }: { signal: AbortSignal }): Promise<ApiDocument> {
  const answer = await fetch('/openapi.json', { signal });
  if (!answer.ok) throw new Error(`/openapi.json: ${answer.status}`);
  return answer.json();
}
