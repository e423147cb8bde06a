import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { JsonField } from '../inputs/JsonField';
import { NumberField } from '../inputs/NumberField';
import { type FieldProps, useRuleForm } from '../inputs/RuleFormContext';
import { TextChoice } from '../inputs/TextChoice';
import { WordsField } from '../inputs/WordsField';
import { type FieldShape, fits, isObject } from '../schema/fieldShape';
import { AmountField } from './AmountField';
import { ListFields } from './ListFields';
import { ObjectFields } from './ObjectFields';
import { RecordFields } from './RecordFields';

/** A field of a rule, by its shape. What the form cannot show is JSON. */
export function SchemaField({ shape, ...field }: FieldProps & { shape: FieldShape }) {
  const fieldLabel = useFieldLabel();
  const { change, isReadOnly } = useRuleForm();
  const { path, value, help } = field;
  const label = field.label ?? fieldLabel(String(path.at(-1)));
  const onChange = (next: unknown) => change({ path, value: next });
  const props = { label, help, isReadOnly };
  if (!fits(shape, value)) return <JsonField {...props} value={value} onChange={onChange} />;
  switch (shape.kind) {
    case 'text':
      return <TextChoice {...props} {...shape} value={typeof value === 'string' ? value : ''} onChange={onChange} />;
    case 'words':
      return <WordsField {...props} {...shape} value={Array.isArray(value) ? value : []} onChange={onChange} />;
    case 'number':
      return <NumberField {...props} value={value} onChange={onChange} />;
    case 'boolean':
      return (
        <FormControlLabel
          label={label}
          control={
            <Switch
              checked={value === true}
              disabled={isReadOnly}
              onChange={(event) => onChange(event.target.checked)}
            />
          }
        />
      );
    case 'amount':
      return <AmountField {...props} path={path} value={value} />;
    case 'list':
      return <ListFields {...props} path={path} item={shape.item} value={Array.isArray(value) ? value : []} />;
    case 'object':
      return <ObjectFields {...props} path={path} fields={shape.fields} value={isObject(value) ? value : {}} />;
    case 'record':
      return <RecordFields {...props} path={path} shape={shape} value={isObject(value) ? value : {}} />;
    case 'free':
      return <JsonField {...props} value={value} onChange={onChange} />;
    default:
      return shape satisfies never;
  }
}
