import type { Member } from '../../ui/memberName';

/** A line item as it is typed. */
export interface DraftLine {
  /** Tells lines apart while they are typed. */
  key: number;
  sku: string;
  price: string;
  quantity: string;
}

/** An activity as it is typed; empty fields are left out. */
export interface Draft {
  type: string;
  srcChannelType: string;
  date: string;
  value: string;
  srcChannelID: string;
  partnerCode: string;
  couponCode: string;
  externalTxnId: string;
  /** Extension fields, as JSON. */
  ext: string;
  lines: readonly DraftLine[];
}

/** The form as it opens: a purchase at the call centre, where support staff are. */
export const emptyDraft: Draft = {
  type: 'Accrual',
  srcChannelType: 'CallCenter',
  date: '',
  value: '',
  srcChannelID: '',
  partnerCode: '',
  couponCode: '',
  externalTxnId: '',
  ext: '',
  lines: [],
};

/** The body of the post. Numbers and JSON that are none are sent as they are, so that the service says what is wrong. */
export function activityBody(member: Member, { lines, value, ext, ...texts }: Draft) {
  const typed = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const items = lines.filter(({ sku, price }) => sku !== '' || price !== '');
  return {
    ...(Object.fromEntries(typed) as { type: string; srcChannelType: string }),
    memberID: member._id,
    ...(value === '' ? {} : { value: Number(value) }),
    ...(ext.trim() === '' ? {} : { ext: read(ext) as Record<string, unknown> }),
    ...(items.length === 0 ? {} : { lineItems: items.map(lineOf) }),
  };
}

function read(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function lineOf({ sku, price, quantity }: DraftLine) {
  return {
    ...(sku === '' ? {} : { itemSKU: sku }),
    ...(price === '' ? {} : { itemPrice: Number(price) }),
    ...(quantity === '' ? {} : { quantity: Number(quantity) }),
  };
}
