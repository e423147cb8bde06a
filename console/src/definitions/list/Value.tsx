import Chip from '@mui/material/Chip';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useLocale, useRecordContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { FormTexts } from '../../i18n/formTexts';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { DateTime } from '../../time/DateTime';
import { isDefinitionName } from '../definitionNames';
import { ReferenceName } from '../ReferenceName';
import type { Field, Shape } from '../schema/shape';

interface ValueProps {
  field: Field;
  /** The value names the record, so it links to its page below `to`. */
  isTitle: boolean;
  to: string;
}

/** The value of a field of the record, as a list shows it. */
export function Value({ field, isTitle, to }: ValueProps) {
  const record = useRecordContext();
  const value: unknown = record?.[field.name];
  if (isTitle && record) {
    return (
      <MuiLink component={Link} to={`${to}/${record.id}`} sx={{ overflowWrap: 'anywhere' }}>
        {String(value)}
      </MuiLink>
    );
  }
  return <Shown shape={field.shape} texts={field.texts} value={value} />;
}

/** A value in words: numbers by locale, instants in the zone of the page, references by name. */
export function Shown({ shape, texts, value }: { shape: Shape; texts?: FormTexts | undefined; value: unknown }) {
  const translate = useTranslate();
  const locale = useLocale();
  const choiceLabel = useChoiceLabel();
  if (value === undefined || value === null) return <>–</>;
  if (typeof value === 'boolean') return <>{translate(`ra.boolean.${value}`)}</>;
  if (typeof value === 'number') return <>{value.toLocaleString(locale)}</>;
  if (shape.kind === 'choice') return <>{choiceLabel(String(value), texts)}</>;
  if (shape.kind === 'moment') return <DateTime at={String(value)} />;
  if (shape.kind === 'reference' && isDefinitionName(shape.to))
    return <ReferenceName to={shape.to} id={String(value)} />;
  if (Array.isArray(value)) return <Several values={value} />;
  if (typeof value === 'object') return <>{JSON.stringify(value)}</>;
  return <>{String(value)}</>;
}

/** The first elements of a list, and how many more there are. */
function Several({ values }: { values: readonly unknown[] }) {
  const shown = values.slice(0, 3);
  const more = values.length - shown.length;
  return (
    <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
      {shown.map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity, and never move here
        <Chip key={place} size="small" label={typeof each === 'object' ? JSON.stringify(each) : String(each)} />
      ))}
      {more > 0 ? <Chip size="small" variant="outlined" label={`+${more}`} /> : null}
    </Stack>
  );
}
