import type { components } from 'loyalty-client/generated/api';
import { useLocale, useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { Money } from '../../ui/Money';
import { type Column, Rows } from '../../ui/Rows';
import { Section } from '../../ui/Section';
import { useProductNames } from './useProductNames';

type History = components['schemas']['ActivityHistory'];
type Numbered = History['lineItems'][number] & { place: number };

/** What was bought, with what of it was returned. */
export function Lines({ activity }: { activity: History }) {
  const translate = useTranslate();
  const locale = useLocale();
  const label = useFieldLabel();
  const names = useProductNames(activity.lineItems);
  if (activity.lineItems.length === 0) return null;
  const nameOf = (line: Numbered) => names.get(line.productId ?? '') ?? lineName(line);
  const hasReturns = activity.lineItems.some(({ returnedQuantity }) => (returnedQuantity ?? 0) > 0);
  const money = (amount: number | undefined) => <Money amount={amount} currency={activity.currencyCode} />;
  const count = (quantity: number | undefined) => quantity?.toLocaleString(locale) ?? '–';
  const returned: Column<Numbered> = {
    label: label('returnedQuantity'),
    cell: (line: Numbered) => count(line.returnedQuantity),
    isNumber: true,
  };
  const columns: Column<Numbered>[] = [
    { label: translate('resources.products.name', { smart_count: 1 }), cell: nameOf },
    { label: label('itemSKU'), cell: ({ itemSKU }: Numbered) => itemSKU ?? '–', from: 'md' },
    { label: label('quantity'), cell: (line: Numbered) => count(line.quantity ?? 1), isNumber: true },
    { label: label('itemPrice'), cell: (line: Numbered) => money(line.itemPrice), isNumber: true, from: 'md' },
    { label: label('itemAmount'), cell: (line: Numbered) => money(line.itemAmount), isNumber: true },
    ...(hasReturns ? [returned] : []),
  ];
  return (
    <Section title={translate('activities.lines')}>
      <Rows
        label={translate('activities.lines')}
        rows={activity.lineItems.map((line, place) => ({ ...line, place }))}
        columns={columns}
        keyOf={({ place }) => String(place)}
        empty=""
      />
    </Section>
  );
}

/** What a line item is called: the product's name, else its SKU. */
export function lineName({ product, itemSKU, productId, place }: Numbered): string {
  return product?.name ?? itemSKU ?? productId ?? String(place + 1);
}
