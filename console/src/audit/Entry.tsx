import Typography from '@mui/material/Typography';
import { useRecordContext, useTranslate } from 'react-admin';
import { changesOf } from '../api/changes';
import { Changes } from '../definitions/Changes';
import { useFormTexts } from '../definitions/schema/useFormTexts';
import { useFieldLabel } from '../i18n/useFieldLabel';

/** Fields that every change touches. */
const stamps = new Set(['updatedAt', 'updatedBy', 'createdAt', 'createdBy', 'org', 'version', '_id']);

/** The contents of an entry: what differs between before and after, from where, and its place in the chain. */
export function Entry() {
  const translate = useTranslate();
  const label = useFieldLabel();
  const entry = useRecordContext();
  const texts = useFormTexts(entry?.resource);
  if (!entry) return null;
  const { before = {}, after = {}, seq, ip, requestId, hash, changed = [] } = entry;
  const differing = Object.keys(changesOf(before, after)).filter((name) => !stamps.has(name));
  const unseen = changed.filter((name: string) => !differing.includes(name));
  const facts = Object.entries({ seq, ip, requestId, hash }).filter(([, value]) => value !== undefined);
  return (
    <>
      <Changes
        changes={differing.map((name) => ({ name, texts: texts[name], before: before[name], after: after[name] }))}
        titles={['audit.before', 'audit.after']}
      />
      {unseen.length > 0 ? (
        <Typography>
          {translate('audit.unseen', {
            names: unseen.map((name: string) => label({ name, texts: texts[name] })).join(', '),
          })}
        </Typography>
      ) : null}
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
        {facts.map(([name, value]) => `${label(name)}: ${value}`).join(' · ')}
      </Typography>
    </>
  );
}
