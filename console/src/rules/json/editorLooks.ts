import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Theme } from '@mui/material/styles';

/** Colours from the theme, in both of which every text has a contrast of 4.5 to 1. */
export function looksOf({ palette, shape }: Theme): Extension {
  const isDark = palette.mode === 'dark';
  const words = isDark
    ? { name: '#8ecbff', text: '#a5d6a7', number: '#ffcc80' }
    : { name: '#0b5394', text: '#2e6b30', number: '#8a4b00' };
  return [
    EditorView.theme(
      {
        '&': { color: palette.text.primary, backgroundColor: palette.background.paper, fontSize: '0.85rem' },
        '.cm-content': { caretColor: palette.text.primary },
        '.cm-cursor': { borderLeftColor: palette.text.primary },
        '.cm-gutters': { color: palette.text.secondary, backgroundColor: palette.background.paper, border: 'none' },
        '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: palette.action.hover },
        '.cm-tooltip': {
          color: palette.text.primary,
          backgroundColor: palette.background.paper,
          border: `1px solid ${palette.divider}`,
          borderRadius: `${shape.borderRadius}px`,
          maxWidth: '480px',
        },
        '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
          color: palette.primary.contrastText,
          backgroundColor: palette.primary.main,
        },
      },
      { dark: isDark },
    ),
    syntaxHighlighting(
      HighlightStyle.define([
        { tag: tags.propertyName, color: words.name },
        { tag: tags.string, color: words.text },
        { tag: [tags.number, tags.bool, tags.null], color: words.number },
      ]),
    ),
  ];
}
