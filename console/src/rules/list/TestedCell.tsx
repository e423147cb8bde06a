import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import type { CoveredRule, ListedRule } from '../api/ruleApi';

interface TestedCellProps {
  rule: Pick<ListedRule, 'tests'>;
  /** What its tests reach; undefined as long as they run. */
  covered: CoveredRule | undefined;
}

/** The number of tests of a rule, and what they do not reach. */
export function TestedCell({ rule, covered }: TestedCellProps) {
  const translate = useTranslate();
  const locale = useLocale();
  return (
    <>
      {rule.tests.toLocaleString(locale)}
      {covered ? (
        <Typography variant="caption" color="textSecondary" component="div">
          {lackOf(covered, translate)}
        </Typography>
      ) : null}
    </>
  );
}

function lackOf({ isHit, uncovered, conditions }: CoveredRule, translate: ReturnType<typeof useTranslate>): string {
  if (!isHit) return translate('rules.coverage.notHit');
  if (uncovered === 0) return '';
  return translate('rules.coverage.open', { uncovered, conditions });
}
