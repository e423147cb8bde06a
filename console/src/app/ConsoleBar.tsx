import SearchIcon from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { AppBar, ToggleThemeButton, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { AccountMenu } from './AccountMenu';
import { LanguageMenu } from './LanguageMenu';
import { Progress } from './Progress';
import { openPalette } from './paletteState';

/** The bar above every page. */
export function ConsoleBar() {
  const translate = useTranslate();
  return (
    <AppBar
      color="primary"
      // Heads of pages that stay in sight are below it.
      alwaysOn
      toolbar={
        <>
          <LanguageMenu />
          <ToggleThemeButton />
          <Progress />
        </>
      }
      userMenu={<AccountMenu />}
    >
      <Typography
        component={Link}
        to="/"
        sx={{ color: 'inherit', textDecoration: 'none', fontWeight: 600, whiteSpace: 'nowrap' }}
      >
        {translate('console.short')}
      </Typography>
      <Box sx={{ flex: 1 }} />
      <Button
        color="inherit"
        size="small"
        startIcon={<SearchIcon />}
        onClick={openPalette}
        aria-label={`${translate('palette.open')} Ctrl K`}
        aria-keyshortcuts="Control+K"
        sx={{ mr: 1, '& .hint': { display: { xs: 'none', sm: 'inline' } } }}
      >
        <span className="hint">{translate('palette.open')}</span>{' '}
        <Box component="kbd" className="hint" sx={{ ml: 1, opacity: 0.85, fontFamily: 'inherit' }}>
          Ctrl K
        </Box>
      </Button>
    </AppBar>
  );
}
