import KeyIcon from '@mui/icons-material/Key';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import { Logout, UserMenu, useTranslate, useUserMenu } from 'react-admin';
import { Link } from 'react-router-dom';
import { currentSession } from '../session/session';

/** The menu of who is signed in. */
export function AccountMenu() {
  return (
    <UserMenu label={currentSession()?.username ?? 'ra.auth.user_menu'}>
      <ToAccount />
      <Logout />
    </UserMenu>
  );
}

function ToAccount() {
  const translate = useTranslate();
  const menu = useUserMenu();
  return (
    <MenuItem component={Link} to="/account" onClick={() => menu?.onClose()}>
      <ListItemIcon>
        <KeyIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText>{translate('account.title')}</ListItemText>
    </MenuItem>
  );
}
