import { useGetList, useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { Choice } from '../../ui/Choice';
import { useWords } from '../../ui/useWords';

const statuses = ['Active', 'Inactive', 'Suspended', 'Merged', 'Erased'];
const firstPrograms = { pagination: { page: 1, perPage: 1000 }, sort: { field: 'name', order: 'ASC' } } as const;

interface MemberFiltersProps {
  params: URLSearchParams;
  onFilter(name: string, value: string): void;
}

/** Filters by status and, where there are several, by program. */
export function MemberFilters({ params, onFilter }: MemberFiltersProps) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const { data: programs = [] } = useGetList('programs', firstPrograms, { enabled: may('programs:read') });
  return (
    <>
      {programs.length > 1 ? (
        <Choice
          label={translate('resources.programs.name', { smart_count: 1 })}
          value={params.get('program') ?? ''}
          choices={programs.map(({ id, name }) => [String(id), String(name)])}
          onChoose={(value) => onFilter('program', value)}
        />
      ) : null}
      <Choice
        label={label('status')}
        value={params.get('status') ?? ''}
        choices={statuses.map((each) => [each, words('status', each)])}
        onChoose={(value) => onFilter('status', value)}
      />
    </>
  );
}
