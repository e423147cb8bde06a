import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import type { RuleSchema } from '../schema/knownFacts';
import { looksOf } from './editorLooks';
import { nonce } from './nonce';
import { completeBy } from './ruleCompletion';

/** A fault or warning at a place of the text. Line and column count from 1. */
export interface TextFault {
  line: number;
  column: number;
  message: string;
  severity: 'error' | 'warning';
}

interface JsonEditorProps {
  /** Says what the text is. */
  label: string;
  text: string;
  schema: RuleSchema | undefined;
  faults: readonly TextFault[];
  isReadOnly: boolean;
  onChange(text: string): void;
}

/** An editor of JSON with completion by a schema, which shows faults at their places. */
export default function JsonEditor({ label, text, schema, faults, isReadOnly, onChange }: JsonEditorProps) {
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ text, onChange, schema });
  latest.current = { ...latest.current, onChange, schema };
  const looks = useRef(new Compartment());

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        basicSetup,
        EditorView.lineWrapping,
        json(),
        lintGutter(),
        looks.current.of([]),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly ? { tabindex: '0' } : {}) }),
        autocompletion({ override: [completeBy(() => latest.current.schema)] }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          latest.current.text = state.doc.toString();
          latest.current.onChange(latest.current.text);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: looks.current.reconfigure(looksOf(theme)) });
  }, [theme]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || text === latest.current.text) return;
    latest.current.text = text;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          faults.map((fault) => diagnosticOf(fault, editor.state)),
        ),
      );
  }, [faults]);

  return <Box ref={place} sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }} />;
}

function diagnosticOf({ line, column, message, severity }: TextFault, { doc }: EditorState): Diagnostic {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  return { from, to: Math.max(from, Math.min(at.to, from + 1)), message, severity };
}
