import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilAnswered } from '../../../support/untilAnswered';
import type { Chore, ChoreInput } from './chore';
import { startCommand } from './command';

const productsInFile = 30;

/** Makes, changes and deletes products, and applies files of products by a command of which every second one is killed. */
export function definitions(): Chore {
  /** The name of each product; undefined: deleted. */
  const names = new Map<string, string | undefined>();
  /** How many products each file has left, by the beginning of their numbers. */
  const files = new Map<string, readonly number[]>();

  async function writeOne({ insist }: ChoreInput, n: number) {
    const sku = `D-${n}`;
    const options = { headers: { 'Idempotency-Key': `product-${n}` } };
    const { body } = await insist('admin', [201], (api) => api.post('/products', { sku, name: 'made' }, options));
    names.set(sku, 'made');
    if (n % 3 === 0) {
      await insist('admin', [200], (api) => api.patch(`/products/${body._id}`, { name: 'changed' }));
      names.set(sku, 'changed');
    }
    if (n % 4 === 0) {
      // When the answer to the first is lost, it is gone already.
      await insist('admin', [200, 204, 404], (api) => api.delete(`/products/${body._id}`));
      names.set(sku, undefined);
    }
  }

  async function applyFile({ world, random }: ChoreInput, n: number, isKilled: boolean) {
    const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-storm-definitions-'));
    try {
      const prefix = `F${n}-`;
      const products = Array.from({ length: productsInFile }, (_unused, at) => ({
        sku: `${prefix}${at}`,
        name: 'file',
      }));
      const file = path.join(folder, 'definitions.json');
      writeFileSync(file, JSON.stringify({ products }));
      const child = startCommand(world, 'definitions', ['apply', file, '--yes']);
      const ended = once(child, 'exit');
      if (isKilled) {
        await Promise.race([ended, sleep(500 + random(3500))]);
        child.kill('SIGKILL');
      }
      const [code] = await ended;
      files.set(prefix, code === 0 ? [productsInFile] : [0, productsInFile]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  return {
    name: 'definitions',
    async run(input, n) {
      await writeOne(input, n);
      // Each change makes all processes read the definitions again; posts need some time between two.
      await sleep(300);
      if (n % 10 === 0) await applyFile(input, n, n % 20 === 10);
    },
    async faults({ world }) {
      const admin = world.server.as('admin');
      const found = async (query: string): Promise<{ name: string }[]> =>
        (await untilAnswered(() => admin.get(`/products?${query}&limit=1000`))).body;
      const faults: string[] = [];
      for (const [sku, name] of names) {
        const [should, is] = [
          name === undefined ? '' : name,
          (await found(`sku=${sku}`)).map((each) => each.name).join(),
        ];
        if (should !== is) faults.push(`the product ${sku} is there as "${is}" instead of "${should}"`);
      }
      for (const [prefix, lengths] of files) {
        const { length } = await found(`sku=~^${prefix}`);
        if (!lengths.includes(length)) faults.push(`${length} products of the file ${prefix} are there`);
      }
      return faults;
    },
  };
}
