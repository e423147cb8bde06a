import MuiLink from '@mui/material/Link';
import { useRecordContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { isDefinitionName } from '../definitions/definitionNames';
import { definitionViews } from '../definitions/definitionViews';
import { useChoiceLabel } from '../i18n/useChoiceLabel';
import { DateTime } from '../time/DateTime';

/** When the change of the entry was made, with a link to its page. */
export function When() {
  const entry = useRecordContext();
  return (
    <MuiLink component={Link} to={`/audit/${entry?.id}`}>
      <DateTime at={entry?.at} />
    </MuiLink>
  );
}

/** Who made the change, and how: a command on the host and the service itself are named. */
export function Who() {
  const translate = useTranslate();
  const entry = useRecordContext();
  const via = entry?.via === 'api' ? '' : ` (${translate(`audit.via.${entry?.via}`)})`;
  return (
    <>
      {String(entry?.username ?? '')}
      {via}
    </>
  );
}

/** What was done with it. */
export function Action() {
  const choiceLabel = useChoiceLabel();
  return <>{choiceLabel(String(useRecordContext()?.action))}</>;
}

/** What was changed: the kind and name of the record, with a link to it. */
export function What() {
  const translate = useTranslate();
  const entry = useRecordContext();
  if (!entry) return null;
  const { resource, key: id, before, after } = entry;
  if (!isDefinitionName(resource)) {
    const kind = translate(`audit.kinds.${resource}`, { _: resource });
    return <>{`${kind} ${id ?? ''}`}</>;
  }
  const kind = translate(`resources.${resource}.name`, { smart_count: 1 });
  const named = definitionViews[resource].title.map((field) => after?.[field] ?? before?.[field]).find(Boolean);
  return (
    <>
      {kind}{' '}
      <MuiLink component={Link} to={`/definitions/${resource}/${id}`} onClick={(event) => event.stopPropagation()}>
        {String(named ?? id)}
      </MuiLink>
    </>
  );
}
