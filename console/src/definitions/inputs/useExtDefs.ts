import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { listQuery } from '../../ui/listQuery';

/** A field of one's own: what it is, and the values to choose from when it is of type enum. */
export interface ExtDef {
  def: components['schemas']['ExtDef'];
  values: readonly string[];
}

/** Most fields of a model, and most values of them, that are read. */
const readMax = 1000;

/** The extension fields that the org has defined for a model; undefined until they are known. */
export function useExtDefs(model: string | undefined): readonly ExtDef[] | undefined {
  const isReadable = may('extdefs:read') && may('extschemas:read');
  const { data, error } = useQuery({
    queryKey: ['extdefs', 'of', model],
    queryFn: ({ signal }) => read(model ?? '', signal),
    enabled: isReadable && model !== undefined,
  });
  return data ?? (error || !isReadable ? [] : undefined);
}

async function read(model: string, signal: AbortSignal): Promise<readonly ExtDef[]> {
  const list = (filter: object) => ({ params: { query: listQuery(filter, { limit: readMax }) }, signal });
  // An org may call the model of activities by what clients post.
  const names = model === 'ActivityHistory' ? [model, 'Activity'] : [model];
  const schemas = await result(client.GET('/api/v1/extschemas', list({ model: { $in: names } })));
  if (schemas.length === 0) return [];
  const defs = await result(client.GET('/api/v1/extdefs', list({ extSchema: { $in: schemas.map(({ _id }) => _id) } })));
  const types = defs.flatMap(({ enumType }) => enumType ?? []);
  const canRead = types.length > 0 && may('enums:read');
  const enums = canRead ? await result(client.GET('/api/v1/enums', list({ type: { $in: types } }))) : [];
  const valuesOf = (type: string | undefined) => enums.filter((each) => each.type === type).map(({ value }) => value);
  return defs.map((def) => ({ def, values: valuesOf(def.enumType) }));
}
