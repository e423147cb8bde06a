import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslate } from 'react-admin';
import { Link, useSearchParams } from 'react-router-dom';

/** How many rows a page of a member's records has. */
export const pageRows = 25;

/** How many rows the address leaves out. */
export function useSkip(): number {
  const [params] = useSearchParams();
  const skip = Number(params.get('skip') ?? 0);
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
}

/** The ways to the pages before and after this one, which the address names. */
export function Paging({ rows }: { rows: number }) {
  const translate = useTranslate();
  const [params] = useSearchParams();
  const skip = useSkip();
  const to = (next: number) => {
    const changed = new URLSearchParams(params);
    if (next > 0) changed.set('skip', String(next));
    else changed.delete('skip');
    return { search: changed.toString() };
  };
  const hasMore = rows >= pageRows;
  if (skip === 0 && !hasMore) return null;
  return (
    <Stack direction="row" component="nav" aria-label={translate('members.find.pages')} sx={{ p: 1, gap: 1 }}>
      {skip > 0 ? (
        <Button component={Link} to={to(Math.max(0, skip - pageRows))}>
          {translate('members.find.previous')}
        </Button>
      ) : null}
      {hasMore ? (
        <Button component={Link} to={to(skip + pageRows)}>
          {translate('members.find.next')}
        </Button>
      ) : null}
    </Stack>
  );
}
