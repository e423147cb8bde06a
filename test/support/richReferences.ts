import type { Client } from './client';

/** Ids of records that the rich records refer to. */
export interface Known {
  program: string;
  purse: string;
  members: [string, string, string];
  segments: [string, string];
  products: [string, string];
  list: string;
  extSchema: string;
}

/** Makes the records that the rich ones refer to. */
export async function makeKnown(admin: Client, program: string, purse: string): Promise<Known> {
  const made = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).body._id;
  const member = () => made('/members', { program });
  const product = (sku: string) => made('/products', { sku, name: sku });
  const products: Known['products'] = [await product('TEA-1'), await product('MILK-1')];
  return {
    program,
    purse,
    products,
    members: [await member(), await member(), await member()],
    segments: [await made('/segments', { name: 'One' }), await made('/segments', { name: 'Two' })],
    list: await made('/namedlists', { name: 'Listed', model: 'Product', ids: products }),
    extSchema: await made('/extschemas', { model: 'LineItem', name: 'Line' }),
  };
}
