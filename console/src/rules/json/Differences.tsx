import { json } from '@codemirror/lang-json';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useRef } from 'react';
import { looksOf } from './editorLooks';
import { nonce } from './nonce';

interface DifferencesProps {
  /** Says what the texts are. */
  label: string;
  before: string;
  after: string;
}

const collapse = { margin: 2, minSize: 4 };

/** Two texts side by side with what differs; on narrow screens one below the other. */
export default function Differences({ label, before, after }: DifferencesProps) {
  const theme = useTheme();
  const isWide = useMediaQuery(theme.breakpoints.up('md'));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const shared = [
      EditorView.cspNonce.of(nonce()),
      lineNumbers(),
      json(),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', role: 'textbox' }),
      looksOf(theme),
    ];
    if (isWide) {
      const view = new MergeView({
        parent: place.current,
        a: { doc: before, extensions: shared },
        b: { doc: after, extensions: shared },
        collapseUnchanged: collapse,
        gutter: true,
      });
      return () => view.destroy();
    }
    const merged = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: collapse });
    const view = new EditorView({ parent: place.current, doc: after, extensions: [...shared, merged] });
    return () => view.destroy();
  }, [label, before, after, theme, isWide]);
  return (
    <Box
      ref={place}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 1, overflow: 'auto', maxHeight: '60vh' }}
    />
  );
}
