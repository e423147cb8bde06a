import { AutocompleteInput, ReferenceInput, required } from 'react-admin';
import { isDefinitionName } from '../definitionNames';
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
export function ReferenceChoice({ source, label, helperText, to, isRequired }: ReferenceChoiceProps) {
  if (!isDefinitionName(to)) return null;
  const { title, order = '_id' } = definitionViews[to];
  const [first] = title;
  return (
    <ReferenceInput source={source} reference={to} sort={{ field: order, order: 'ASC' }} perPage={50}>
      <AutocompleteInput
        {...{ label, helperText }}
        optionText={(record?: Record<string, unknown>) => titleOf(to, record)}
        filterToQuery={(text: string) => (text === '' ? {} : { [first]: asPattern(text) })}
        validate={isRequired ? required() : []}
        fullWidth
      />
    </ReferenceInput>
  );
}
