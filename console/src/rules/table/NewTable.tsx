import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { FileButton } from '../../app/FileButton';
import { csvTable } from '../../csv/csv';
import type { RuleFields } from '../draft/parsedRule';
import type { Change } from '../draft/ruleText';
import { isObject } from '../schema/fieldShape';
import { NewTableDialog, type TableChoice } from './NewTableDialog';
import type { Tables } from './useTables';

interface NewTableProps {
  /** The code of the program. */
  program: string;
  rule: RuleFields;
  tables: Tables;
  onChange(change: Change): void;
}

/** Adds a CSV file to the program: a lookup table with its declaration, or the decision table of the rule. */
export function NewTable({ program, rule, tables, onChange }: NewTableProps) {
  const translate = useTranslate();
  const [file, setFile] = useState<{ name: string; text: string }>();
  const take = ({ name, kind, lookup, keys }: TableChoice) => {
    const text = file?.text ?? '';
    const path = `${program}/${name}`;
    if (kind === 'decision') {
      tables.add({ path, text });
      onChange({ path: ['table'], value: decisionTable(rule.table, name, csvTable(text).columns) });
    } else {
      const declared = `${JSON.stringify({ lookupTable: lookup, csv: name, keys }, null, 2)}\n`;
      tables.add({ path, text, declaration: { path: `${program}/${lookup}.json`, text: declared } });
    }
    setFile(undefined);
  };
  return (
    <div>
      <FileButton
        size="small"
        accept=".csv,text/csv"
        onFile={(chosen) => void chosen.text().then((text) => setFile({ name: chosen.name, text }))}
      >
        {translate('rules.tables.newOne')}
      </FileButton>
      {file ? <NewTableDialog {...{ program, file, tables }} onTake={take} onClose={() => setFile(undefined)} /> : null}
    </div>
  );
}

/** A decision table with its rows in a file. What the rule says of columns of the same name stays. */
function decisionTable(before: unknown, csv: string, names: readonly string[]) {
  const known = isObject(before) && isObject(before.columns) ? before.columns : {};
  return { columns: Object.fromEntries(names.map((name) => [name, known[name] ?? {}])), csv };
}
