import { useEffect } from 'react';
import { useLocale, useTranslate } from 'react-admin';

/** Names the document after its page, and says its language. */
export function useDocumentTitle(title: string): void {
  const translate = useTranslate();
  const locale = useLocale();
  useEffect(() => {
    document.title = `${title} · ${translate('console.name')}`;
    document.documentElement.lang = locale;
  }, [title, translate, locale]);
}
