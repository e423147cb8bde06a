import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { useHelp } from '../../i18n/useHelp';
import type { NamedField } from '../schema/fieldShape';

interface AddFieldProps {
  /** What gets the field. */
  name: string;
  /** The button shows the name too; else the name is below it. */
  isNamed: boolean;
  fields: readonly NamedField[];
  onAdd(field: NamedField): void;
}

/** A menu of the fields that an object does not have yet, each with what it is for. */
export function AddField({ name, isNamed, fields, onAdd }: AddFieldProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const help = useHelp();
  const named = translate('rules.form.addTo', { name });
  const [at, setAt] = useState<HTMLElement>();
  return (
    <>
      <Button
        size="small"
        startIcon={<AddIcon />}
        sx={{ alignSelf: 'flex-start' }}
        onClick={(event) => setAt(event.currentTarget)}
        aria-haspopup="menu"
        aria-label={named}
      >
        {isNamed ? named : translate('rules.form.addField')}
      </Button>
      <Menu open={at !== undefined} anchorEl={at ?? null} onClose={() => setAt(undefined)}>
        {fields.map((field) => (
          <MenuItem
            key={field.name}
            sx={{ maxWidth: 480 }}
            onClick={() => {
              setAt(undefined);
              onAdd(field);
            }}
          >
            <ListItemText
              primary={field.isOfOrg ? field.name : label(field)}
              secondary={help(field)}
              slotProps={{ secondary: { sx: { whiteSpace: 'normal' } } }}
            />
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
