import LanguageIcon from '@mui/icons-material/Translate';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useLocaleState, useLocales, useTranslate } from 'react-admin';

/** A button to choose the language of the console. */
export function LanguageMenu() {
  const translate = useTranslate();
  const locales = useLocales();
  const [locale, setLocale] = useLocaleState();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = locales.find((each) => each.locale === locale)?.name ?? locale;
  const choose = (next: string) => {
    setAnchor(null);
    setLocale(next);
  };
  return (
    <>
      <IconButton
        color="inherit"
        aria-label={`${translate('console.language')}: ${name}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <LanguageIcon />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {locales.map((each) => (
          <MenuItem
            key={each.locale}
            lang={each.locale}
            selected={each.locale === locale}
            onClick={() => choose(each.locale)}
          >
            {each.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
