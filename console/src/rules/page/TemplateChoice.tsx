import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { type TemplateName, templateNames } from '../draft/templates';

interface TemplateChoiceProps {
  value: TemplateName;
  onChange(name: TemplateName): void;
}

/** Chooses what a new rule begins with. */
export function TemplateChoice({ value, onChange }: TemplateChoiceProps) {
  const translate = useTranslate();
  return (
    <Box>
      <Typography id="rule-template" sx={{ mb: 1 }}>
        {translate('rules.new.template')}
      </Typography>
      <ToggleButtonGroup
        exclusive
        value={value}
        aria-labelledby="rule-template"
        sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))' }}
        onChange={(_event, next: TemplateName | null) => {
          if (next) onChange(next);
        }}
      >
        {templateNames.map((name) => (
          <ToggleButton key={name} value={name} sx={card}>
            <Typography component="span" sx={{ fontWeight: 600 }}>
              {translate(`rules.templates.${name}.name`)}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary">
              {translate(`rules.templates.${name}.text`)}
            </Typography>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}

/** Each choice is a card of its own, with its edges all around. */
const card = {
  flexDirection: 'column',
  alignItems: 'flex-start',
  justifyContent: 'flex-start',
  textAlign: 'left',
  color: 'text.primary',
  '&&&': { borderRadius: 2, border: 1, borderColor: 'divider', m: 0 },
  '&&&.Mui-selected': { borderColor: 'primary.main' },
};
