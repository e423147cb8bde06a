import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useMemo } from 'react';
import { client } from '../../api/client';
import { useExtDefs } from '../../definitions/inputs/useExtDefs';
import { useDocument } from '../../definitions/schema/document';
import { recordNameOf } from '../../definitions/schema/shape';
import { may } from '../../session/session';
import { listQuery } from '../../ui/listQuery';
import { type CellForm, type ImportFields, type ImportKind, importFieldsOf, recordsOf } from './importFields';
import type { OnlyChoices } from './mappingDraft';

/** Most purses, tier policies and programs that are read. */
const readMax = 200;

/** What the columns of a kind may be in this org, and what it has only one of; undefined until it is known. */
export function useImportFields(kind: ImportKind): { fields: ImportFields; only: OnlyChoices } | undefined {
  const document = useDocument();
  const defs = useExtDefs(document && recordNameOf(document, recordsOf(kind)));
  const { data: names } = useQuery({ queryKey: ['importnames'], queryFn: ({ signal }) => readNames(signal) });
  return useMemo(() => {
    if (!document || !defs || !names) return undefined;
    const { programs, purses, primary, tiers } = names;
    const ext = new Map(defs.map(({ def }) => [`ext.${def.field}`, formOf(def.type)]));
    return {
      fields: importFieldsOf(document, kind, { purses, primary, tiers, ext }),
      only: onlyOf({ program: programs, purse: purses }),
    };
  }, [document, defs, names, kind]);
}

function formOf(type: string): CellForm {
  return type.toLowerCase() === 'number' ? 'number' : 'text';
}

function onlyOf(choices: Readonly<Record<string, readonly string[]>>): OnlyChoices {
  return Object.fromEntries(
    Object.entries(choices).flatMap(([field, [one = '', ...more]]) => (more.length > 0 ? [] : [[field, one]])),
  );
}

/** Names that files refer to. A user who may not read some of them chooses without. */
async function readNames(signal: AbortSignal) {
  const all = { params: { query: listQuery({}, { limit: readMax, sort: 'name' }) }, signal };
  const [programs, purses, tiers] = await Promise.all([
    may('programs:read') ? result(client.GET('/api/v1/programs', all)) : [],
    may('pursepolicies:read') ? result(client.GET('/api/v1/pursepolicies', all)) : [],
    may('tierpolicies:read') ? result(client.GET('/api/v1/tierpolicies', all)) : [],
  ]);
  const namesOf = (records: readonly { name: string }[]) => [...new Set(records.map(({ name }) => name))];
  return {
    programs: programs.map(({ code, _id }) => code ?? _id),
    purses: namesOf(purses),
    primary: namesOf(purses.filter(({ primary }) => primary === true)),
    tiers: namesOf(tiers),
  };
}
