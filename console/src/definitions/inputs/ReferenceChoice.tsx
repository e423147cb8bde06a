import { AutocompleteInput, ReferenceInput, required, useChoicesContext, useTranslate } from 'react-admin';
import { Nothing } from '../../app/unread/Nothing';
import { type DefinitionName, isDefinitionName } from '../definitionNames';
import { definitionViews, titleOf } from '../definitionViews';
import { asPattern } from '../list/filterText';

interface ReferenceChoiceProps {
  source: string;
  label: string;
  helperText: string | false;
  /** The path of the collection that is referred to. */
  to: string;
  isRequired: boolean;
}

/** An input of a reference: the records to choose from, by name, as one types. */
export function ReferenceChoice(props: ReferenceChoiceProps) {
  const { source, to } = props;
  if (!isDefinitionName(to)) return null;
  const { order = '_id' } = definitionViews[to];
  return (
    <ReferenceInput source={source} reference={to} sort={{ field: order, order: 'ASC' }} perPage={50}>
      <Choices {...props} to={to} />
    </ReferenceInput>
  );
}

function Choices({ label, helperText, to, isRequired }: ReferenceChoiceProps & { to: DefinitionName }) {
  const [first] = definitionViews[to].title;
  const only = useOnlyChoice();
  const translate = useTranslate();
  return (
    <AutocompleteInput
      {...{ label, helperText }}
      optionText={(record?: Record<string, unknown>) => titleOf(to, record)}
      filterToQuery={(text: string) => (text === '' ? {} : { [first]: asPattern(text) })}
      {...(isRequired ? { validate: required(), defaultValue: only } : {})}
      noOptionsText={<Nothing>{translate('ra.navigation.no_results')}</Nothing>}
      fullWidth
    />
  );
}

/** The id of the only record that there is, such as the program of an org that has one. */
function useOnlyChoice(): unknown {
  const { allChoices, filterValues } = useChoicesContext();
  const [only, ...others] = allChoices ?? [];
  const isSearching = Object.keys(filterValues ?? {}).length > 0;
  return isSearching || others.length > 0 ? undefined : only?.id;
}
