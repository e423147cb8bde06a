import { useTranslate } from 'react-admin';
import { PageHeading } from '../app/PageHeading';

/** The pages of this part of the console. */
export default function RulesPages() {
  const translate = useTranslate();
  return <PageHeading title={translate('menu.rules')} />;
}
