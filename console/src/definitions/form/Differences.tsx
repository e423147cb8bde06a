import { useRecordContext } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { changesOf } from '../../api/changes';
import { Changes } from '../Changes';
import type { Field } from '../schema/shape';

/** What a save would change of what is stored. */
export function Differences({ fields }: { fields: readonly Field[] }) {
  const record = useRecordContext();
  const values: Record<string, unknown> = useWatch();
  if (!record) return null;
  const changed = changesOf(record, { ...record, ...values });
  const own = fields.filter(({ name }) => name in changed);
  return (
    <Changes changes={own.map(({ name, texts }) => ({ name, texts, before: record[name], after: changed[name] }))} />
  );
}
