import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { PageHeading } from './PageHeading';

/** A page that says why there is nothing else, and what to do: the messages `page.<name>.title` and `.text`. */
export function MessagePage({ name }: { name: string }) {
  const translate = useTranslate();
  return (
    <Stack spacing={1}>
      <PageHeading title={translate(`page.${name}.title`)} />
      <Typography>{translate(`page.${name}.text`)}</Typography>
    </Stack>
  );
}
