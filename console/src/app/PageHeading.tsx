import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useRef } from 'react';
import { useFocusOnNavigation } from './focus/useFocusOnNavigation';
import { useDocumentTitle } from './useDocumentTitle';

interface PageHeadingProps {
  title: string;
  /** One sentence below it. */
  text?: ReactNode;
  /** Buttons beside it. */
  actions?: ReactNode;
  /** In wide windows the title is cut where its line ends. */
  isOneLine?: boolean;
}

/** The heading of a page, its only `h1`, which also names the document and takes the focus. Every page has one. */
export function PageHeading({ title, text, actions, isOneLine = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useFocusOnNavigation(heading);
  return (
    <Stack
      direction="row"
      sx={{
        gap: 2,
        flexWrap: isOneLine ? { xs: 'wrap', md: 'nowrap' } : 'wrap',
        alignItems: 'flex-start',
        justifyContent: 'space-between',
        my: isOneLine ? { xs: 2, md: 1 } : 2,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography
          variant="h1"
          ref={heading}
          tabIndex={-1}
          title={isOneLine ? title : undefined}
          sx={{
            overflowWrap: 'anywhere',
            outlineOffset: 4,
            ...(isOneLine && {
              overflow: { md: 'hidden' },
              textOverflow: { md: 'ellipsis' },
              whiteSpace: { md: 'nowrap' },
              outlineOffset: { xs: 4, md: -2 },
            }),
          }}
        >
          {title}
        </Typography>
        {text ? (
          <Typography color="textSecondary" sx={{ mt: 0.5 }}>
            {text}
          </Typography>
        ) : null}
      </Box>
      {actions ? (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', ...(isOneLine && { flexShrink: { md: 0 } }) }}>
          {actions}
        </Stack>
      ) : null}
    </Stack>
  );
}
