import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { may } from '../../session/session';
import type { ImportKind } from './importFields';
import { draftOf, keptBody } from './mappingDraft';
import type { FileMapping } from './useFileMapping';

/** The choice of a kept mapping, and buttons to keep the present one by a name and to delete it. */
export function KeptMappings({ mapping, kind }: { mapping: FileMapping; kind: ImportKind }) {
  const translate = useTranslate();
  const { kept, name, proposal, fields, only, change } = mapping;
  const chosen = kept.find((each) => each.name === name);
  const t = (key: string) => translate(`operations.mapping.${key}`);
  const choose = (wanted: string) => {
    const found = kept.find((each) => each.name === wanted);
    change(found ? draftOf(found, proposal.draft.fields, fields, only) : proposal.draft, wanted);
  };
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}>
      {kept.length > 0 ? (
        <TextField
          select
          label={t('kept')}
          value={chosen?.name ?? ''}
          onChange={({ target }) => choose(target.value)}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
          fullWidth={false}
          sx={{ flex: '0 1 260px', minWidth: 0 }}
        >
          <MenuItem value="">{t('proposed')}</MenuItem>
          {kept.map((each) => (
            <MenuItem key={each._id} value={each.name} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {each.name}
            </MenuItem>
          ))}
        </TextField>
      ) : null}
      {/* The name of another mapping begins anew. */}
      {may('importmappings:create') ? <KeepMapping key={name} mapping={mapping} kind={kind} /> : null}
    </Stack>
  );
}

function KeepMapping({
  mapping: { kept, name, draft, proposal, change },
  kind,
}: {
  mapping: FileMapping;
  kind: ImportKind;
}) {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(name);
  const chosen = kept.find((each) => each.name === name);
  const ending = (messageKey: string) => ({
    onSuccess: () => notify(`operations.mapping.${messageKey}`, { type: 'success' as const }),
    onError: (error: unknown) => notify(faultText(error, translate), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['importmappings'] }),
  });
  const save = useMutation({
    mutationFn: async () => {
      const wanted = typed.trim();
      const same = kept.find((each) => each.name === wanted);
      const body = keptBody(draft);
      await (same
        ? result(client.PATCH('/api/v1/importmappings/{id}', { params: { path: { id: same._id } }, body }))
        : result(client.POST('/api/v1/importmappings', { body: { ...withoutNull(body), name: wanted, kind } })));
      change(draft, wanted);
    },
    ...ending('saved'),
  });
  const remove = useMutation({
    mutationFn: async (id: string) => {
      await result(client.DELETE('/api/v1/importmappings/{id}', { params: { path: { id } } }));
      change(proposal.draft, '');
    },
    ...ending('deleted'),
  });
  return (
    <>
      <TextField
        label={translate('operations.mapping.name')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        fullWidth={false}
        slotProps={{ htmlInput: { maxLength: 100 } }}
        sx={{ flex: '0 1 220px', minWidth: 0 }}
      />
      <Button disabled={typed.trim() === ''} loading={save.isPending} onClick={() => save.mutate()}>
        {translate('operations.mapping.save')}
      </Button>
      {chosen && may('importmappings:delete') ? (
        <Button color="error" loading={remove.isPending} onClick={() => remove.mutate(chosen._id)}>
          {translate('operations.mapping.delete')}
        </Button>
      ) : null}
    </>
  );
}

/** A new record has no fields to clear. */
function withoutNull<T extends object>(body: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const filled = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(filled) as { [K in keyof T]?: NonNullable<T[K]> };
}
