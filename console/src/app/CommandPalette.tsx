import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { type Command, commandsOf, findMember } from './commands';
import { closePalette, isPaletteOpen, onPalette, openPalette } from './paletteState';

/** A dialog to go anywhere by typing: Ctrl+K. */
export function CommandPalette() {
  const isOpen = useSyncExternalStore(onPalette, isPaletteOpen);
  const translate = useTranslate();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <Dialog
      open={isOpen}
      onClose={closePalette}
      fullWidth
      maxWidth="sm"
      aria-label={translate('palette.title')}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      {isOpen ? (
        <Box sx={{ p: 2 }}>
          <Choice />
        </Box>
      ) : null}
    </Dialog>
  );
}

const named = createFilterOptions<Command>();

function Choice() {
  const translate = useTranslate();
  const navigate = useNavigate();
  const commands = useMemo(() => commandsOf(translate), [translate]);
  const go = (command: Command | null) => {
    if (!command) return;
    closePalette();
    void navigate(command.to);
  };
  return (
    <Autocomplete<Command>
      options={commands}
      filterOptions={(all, state) => [...named(all, state), ...findMember(state.inputValue, translate)]}
      getOptionLabel={({ label }) => label}
      groupBy={({ group }) => group}
      onChange={(_event, command) => go(command)}
      autoHighlight
      openOnFocus
      clearOnEscape={false}
      onClose={(_event, reason) => {
        // The list takes the key; the dialog would only close by the second one.
        if (reason === 'escape') closePalette();
      }}
      noOptionsText={translate('palette.none')}
      renderOption={({ key, ...props }, { label, to }) => (
        <li key={key} {...props}>
          {label}
          <Typography component="span" variant="body2" color="textSecondary" sx={{ ml: 'auto', pl: 2 }}>
            {to}
          </Typography>
        </li>
      )}
      renderInput={(params) => <TextField {...params} autoFocus label={translate('palette.title')} sx={{ m: 0 }} />}
    />
  );
}
