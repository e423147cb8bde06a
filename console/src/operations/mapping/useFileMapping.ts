import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useMemo, useState } from 'react';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { listQuery } from '../../ui/listQuery';
import type { ImportFields, ImportKind } from './importFields';
import {
  draftOf,
  fittingMapping,
  type KeptMapping,
  type MappingDraft,
  type OnlyChoices,
  type Proposal,
  proposeMapping,
} from './mappingDraft';
import type { FirstRows } from './readFirstRows';
import { useImportFields } from './useImportFields';

/** How a chosen file is understood: what is proposed, and what the user has made of it. */
export interface FileMapping {
  fields: ImportFields;
  only: OnlyChoices;
  proposal: Proposal;
  draft: MappingDraft;
  kept: readonly KeptMapping[];
  /** The name of the kept mapping that was chosen or proposed. */
  name: string;
  /** The file needs a mapping, or the user has asked for one. */
  isShown: boolean;
  change(draft: MappingDraft, name?: string): void;
}

/** Most mappings of a kind that are offered. */
const keptMax = 200;

/** The mapping of a file by its first rows; undefined without a file, and until the fields of the kind are known. */
export function useFileMapping(rows: FirstRows | undefined, kind: ImportKind): FileMapping | undefined {
  const known = useImportFields(kind);
  const kept = useKeptMappings(kind);
  const [edited, setEdited] = useState<{ of: Proposal; draft: MappingDraft; name: string }>();
  const proposal = useMemo(
    () => rows && known && proposeMapping(rows, kind, known.fields, known.only),
    [rows, known, kind],
  );
  const fitting = rows && kept && proposal?.isNeeded ? fittingMapping(kept, rows.columns) : undefined;
  // The same object as long as nothing changes: the outcome of an import is shown as long as its mapping is unchanged.
  const proposed = useMemo(
    () =>
      proposal && known && fitting
        ? draftOf(fitting, proposal.draft.fields, known.fields, known.only)
        : proposal?.draft,
    [proposal, known, fitting],
  );
  if (!rows || !known || !proposal || !kept || !proposed) return undefined;
  const own = edited?.of === proposal ? edited : undefined;
  const name = own?.name ?? fitting?.name ?? '';
  return {
    fields: known.fields,
    only: known.only,
    proposal,
    kept,
    name,
    draft: own?.draft ?? proposed,
    isShown: proposal.isNeeded || own !== undefined,
    change: (draft, newName = name) => setEdited({ of: proposal, draft, name: newName }),
  };
}

function useKeptMappings(kind: ImportKind): readonly KeptMapping[] | undefined {
  const isReadable = may('importmappings:read');
  const { data, error } = useQuery({
    queryKey: ['importmappings', kind],
    queryFn: ({ signal }) =>
      result(
        client.GET('/api/v1/importmappings', {
          params: { query: listQuery({ kind }, { limit: keptMax, sort: 'name' }) },
          signal,
        }),
      ),
    enabled: isReadable,
  });
  return data ?? (error || !isReadable ? [] : undefined);
}
