import { deepmerge } from '@mui/utils';
import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from 'react-admin';
import { focusFirst } from './focus/focusFirst';

const breaking = { overflowWrap: 'anywhere' } as const;

/**
 * How names of any length are shown, also without a blank: they break where their place ends, so that they push away
 * neither columns, nor buttons, nor the page. Headings of columns and figures stay in one piece, so all of them are seen.
 */
const longNames: RaThemeOptions['components'] = {
  MuiCssBaseline: { styleOverrides: { body: { overflowWrap: 'break-word' } } },
  MuiTableCell: {
    styleOverrides: {
      root: { '&.MuiTableCell-alignRight': { overflowWrap: 'normal' } },
      body: { ...breaking, minWidth: '5.5em' },
      head: { overflowWrap: 'normal' },
    },
  },
  MuiTypography: { styleOverrides: { root: breaking } },
  MuiLink: { styleOverrides: { root: breaking } },
  MuiAlert: { styleOverrides: { message: { ...breaking, minWidth: 0 } } },
  MuiListItemText: { styleOverrides: { root: breaking } },
  MuiChip: {
    styleOverrides: {
      root: { height: 'auto', minHeight: 32, '&.MuiChip-sizeSmall': { minHeight: 24 } },
      label: { ...breaking, whiteSpace: 'normal' },
    },
  },
};

const shared: RaThemeOptions = {
  shape: { borderRadius: 8 },
  // Nothing moves for users with that setting in their system.
  motion: { reducedMotion: 'system' },
  sidebar: { width: 220, closedWidth: 56 },
  typography: {
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    h1: { fontSize: '1.6rem', fontWeight: 600 },
    h2: { fontSize: '1.15rem', fontWeight: 600 },
    h3: { fontSize: '1rem', fontWeight: 600 },
    button: { textTransform: 'none' },
  },
  components: {
    ...longNames,
    MuiPaper: { defaultProps: { elevation: 0, variant: 'outlined' } },
    MuiAppBar: { defaultProps: { elevation: 0, variant: 'elevation' } },
    MuiMenu: { defaultProps: { slotProps: { paper: { elevation: 4, variant: 'elevation' } } } },
    MuiDialog: {
      defaultProps: {
        slotProps: { paper: { elevation: 8, variant: 'elevation' }, transition: { onEntered: focusFirst } },
      },
    },
    RaMenuItemLink: {
      styleOverrides: {
        root: {
          borderRadius: '0 20px 20px 0',
          '&.RaMenuItemLink-active': { fontWeight: 600, backgroundColor: 'rgba(11, 110, 105, 0.16)' },
        },
      },
    },
    MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', margin: 'none' } },
    MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small', margin: 'none' } },
  },
};

/** Colours have a contrast of at least 4.5 to 1 with their background. */
export const lightTheme: RaThemeOptions = deepmerge<object>(defaultLightTheme, {
  ...shared,
  palette: {
    mode: 'light',
    primary: { main: '#0b6e69' },
    secondary: { main: '#0b6e69' },
    error: { main: '#c62828' },
    background: { default: '#f6f7f9', paper: '#ffffff' },
    text: { primary: '#17212b', secondary: '#52606d' },
  },
});

export const darkTheme: RaThemeOptions = deepmerge<object>(defaultDarkTheme, {
  ...shared,
  palette: {
    mode: 'dark',
    primary: { main: '#5cc9c2' },
    secondary: { main: '#5cc9c2' },
    error: { main: '#ff8a80', contrastText: '#12171d' },
    background: { default: '#12171d', paper: '#1a2129' },
    text: { primary: '#e8edf2', secondary: '#a9b6c2' },
  },
});
