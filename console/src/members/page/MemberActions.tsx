import MoreIcon from '@mui/icons-material/MoreVert';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { may } from '../../session/session';
import type { Member } from '../../ui/memberName';
import { EraseDialog } from '../change/EraseDialog';
import { exportMember } from '../change/exportMember';

/** What can be done with a member, as far as the user may. */
export function MemberActions({ member }: { member: Member }) {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isErasing, setErasing] = useState(false);
  const close = () => setAnchor(null);
  const hasMore = ['member:merge', 'member:export', 'member:erase'].some(may);
  return (
    <>
      {may('activity:post') ? (
        <Button component={Link} to={`/members/${member._id}/post`} variant="contained">
          {translate('activities.post.title')}
        </Button>
      ) : null}
      {hasMore ? (
        <IconButton
          aria-label={translate('members.actions.more')}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <MoreIcon />
        </IconButton>
      ) : null}
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {may('member:merge') ? (
          <MenuItem component={Link} to={`/members/${member._id}/merge`} onClick={close}>
            {translate('members.merge.action')}
          </MenuItem>
        ) : null}
        {may('member:export') ? <ExportItem member={member} onDone={close} /> : null}
        {may('member:erase') ? (
          <MenuItem
            onClick={() => {
              close();
              setErasing(true);
            }}
          >
            {translate('members.erase.action')}
          </MenuItem>
        ) : null}
      </Menu>
      {isErasing ? <EraseDialog member={member} onClose={() => setErasing(false)} /> : null}
    </>
  );
}

/** Saves everything that is stored about the member as a file. */
function ExportItem({ member, onDone }: { member: Member; onDone(): void }) {
  const translate = useTranslate();
  const notify = useNotify();
  const save = async () => {
    onDone();
    notify('members.export.begun', { type: 'info' });
    try {
      await exportMember(member);
      notify('members.export.done', { type: 'success' });
    } catch (error) {
      notify(faultText(error, translate), { type: 'error', autoHideDuration: 10_000 });
    }
  };
  return <MenuItem onClick={() => void save()}>{translate('members.export.action')}</MenuItem>;
}
