import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';

const pages = ['rules', 'rulesets', 'proposals', 'simulations'] as const;

/** Leads to the lists of rules, versions, proposals and simulations. */
export function RulesMenu({ at }: { at: (typeof pages)[number] }) {
  const translate = useTranslate();
  return (
    <Tabs value={at} variant="scrollable" component="nav" aria-label={translate('rules.menu.title')} sx={{ mb: 2 }}>
      {pages.map((page) => (
        <Tab key={page} value={page} label={translate(`rules.menu.${page}`)} component={Link} to={`/${page}`} />
      ))}
    </Tabs>
  );
}
