import { type Completion, type CompletionContext, type CompletionSource, snippet } from '@codemirror/autocomplete';
import { type CompletionItem, getLanguageService, InsertTextFormat, TextDocument } from 'vscode-json-languageservice';
import type { RuleSchema } from '../schema/knownFacts';

const uri = 'inmemory://rule.json';

/** Proposes names and values of a rule by the schema of the org. */
export function completeBy(schema: () => RuleSchema | undefined): CompletionSource {
  const service = getLanguageService({});
  let known: RuleSchema | undefined;
  return async (context: CompletionContext) => {
    const present = schema();
    if (!present) return null;
    if (present !== known) {
      service.configure({ schemas: [{ uri: 'inmemory://schema', fileMatch: ['*'], schema: present as never }] });
      known = present;
    }
    const document = TextDocument.create(uri, 'json', 1, context.state.doc.toString());
    const found = await service.doComplete(
      document,
      document.positionAt(context.pos),
      service.parseJSONDocument(document),
    );
    const items = found?.items ?? [];
    const [first] = items;
    if (!first) return null;
    const edited = first.textEdit && 'range' in first.textEdit ? first.textEdit.range : undefined;
    const from = edited ? document.offsetAt(edited.start) : context.pos;
    const to = edited ? Math.max(document.offsetAt(edited.end), context.pos) : context.pos;
    return { from, to, options: items.map(completionOf), filter: true };
  };
}

function completionOf(item: CompletionItem): Completion {
  const { label, filterText, insertText, textEdit, insertTextFormat, documentation, detail } = item;
  const text = textEdit?.newText ?? insertText ?? label;
  const info = typeof documentation === 'string' ? documentation : documentation?.value;
  return {
    // What is typed so far includes the quotation mark.
    label: filterText ?? label,
    displayLabel: label,
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined || info === '' ? {} : { info }),
    apply: insertTextFormat === InsertTextFormat.Snippet ? snippet(template(text)) : text,
  };
}

/** A snippet in the notation of the editor: `$1` is `${1}`, and the last place is `${}`. */
function template(text: string): string {
  return text.replace(/\$(\d)/g, (_all, place: string) => (place === '0' ? '#{}' : `#{${place}}`));
}
