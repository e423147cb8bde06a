import type { Lot } from '../../records/points/lot';

/** How a tree sorts lots and what it sums; two lots that compare as 0 are the same lot. */
export interface LotOrder {
  compare(a: Lot, b: Lot): number;
  points(lot: Lot): number;
}

/**
 * Lots in an order, as an immutable weight-balanced tree (Hirai and Yamamoto 2011, weights 3 and 2): copying is free,
 * changing one lot and summing a prefix take time in the logarithm of its size. Undefined is the empty tree.
 */
export interface LotTree {
  readonly lot: Lot;
  readonly size: number;
  /** Points of all lots in the tree. */
  readonly sum: number;
  readonly left: LotTree | undefined;
  readonly right: LotTree | undefined;
}

type Tree = LotTree | undefined;

/** The tree of lots that stand in order already. */
export function treeOf(sorted: readonly Lot[], order: LotOrder, from = 0, to = sorted.length): Tree {
  const middle = (from + to) >>> 1;
  const lot = sorted[middle];
  if (from >= to || !lot) return undefined;
  return node(treeOf(sorted, order, from, middle), lot, treeOf(sorted, order, middle + 1, to), order);
}

/** The tree with this lot in place of its former value, or added. */
export function withLot(tree: Tree, lot: Lot, order: LotOrder): LotTree {
  if (!tree) return node(undefined, lot, undefined, order);
  const side = order.compare(lot, tree.lot);
  if (side === 0) return node(tree.left, lot, tree.right, order);
  if (side < 0) return balance(withLot(tree.left, lot, order), tree.lot, tree.right, order);
  return balance(tree.left, tree.lot, withLot(tree.right, lot, order), order);
}

/** The tree without this lot; the same tree when it is not in it. */
export function withoutLot(tree: Tree, lot: Lot, order: LotOrder): Tree {
  if (!tree) return undefined;
  const side = order.compare(lot, tree.lot);
  if (side < 0) return balance(withoutLot(tree.left, lot, order), tree.lot, tree.right, order);
  if (side > 0) return balance(tree.left, tree.lot, withoutLot(tree.right, lot, order), order);
  const next = firstLot(tree.right);
  return next ? balance(tree.left, next, withoutLot(tree.right, next, order), order) : tree.left;
}

/** The lot that comes first. */
export function firstLot(tree: Tree): Lot | undefined {
  let lot: Lot | undefined;
  for (let at = tree; at; at = at.left) lot = at.lot;
  return lot;
}

/** The lot at which `direction` is 0; below 0 looks before, above 0 after the lot it is given. */
export function findLot(tree: Tree, direction: (lot: Lot) => number): Lot | undefined {
  for (let at = tree; at; ) {
    const side = direction(at.lot);
    if (side === 0) return at.lot;
    at = side < 0 ? at.left : at.right;
  }
  return undefined;
}

/** Points of the lots from the first to the last that is `within`; lots after one that is not are not either. */
export function sumWhile(tree: Tree, order: LotOrder, within: (lot: Lot) => boolean): number {
  let sum = 0;
  for (let at = tree; at; ) {
    if (!within(at.lot)) {
      at = at.left;
      continue;
    }
    sum += (at.left?.sum ?? 0) + order.points(at.lot);
    at = at.right;
  }
  return sum;
}

/** All lots in order. */
export function* lotsOf(tree: Tree): Generator<Lot> {
  if (!tree) return;
  yield* lotsOf(tree.left);
  yield tree.lot;
  yield* lotsOf(tree.right);
}

function node(left: Tree, lot: Lot, right: Tree, order: LotOrder): LotTree {
  const size = 1 + (left?.size ?? 0) + (right?.size ?? 0);
  const sum = (left?.sum ?? 0) + order.points(lot) + (right?.sum ?? 0);
  return { lot, size, sum, left, right };
}

function balance(left: Tree, lot: Lot, right: Tree, order: LotOrder): LotTree {
  if (right && isTooHeavy(right, left)) return raiseRight(left, lot, right, order);
  if (left && isTooHeavy(left, right)) return raiseLeft(left, lot, right, order);
  return node(left, lot, right, order);
}

function raiseRight(left: Tree, lot: Lot, right: LotTree, order: LotOrder): LotTree {
  const inner = right.left;
  if (!inner || weight(inner) < 2 * weight(right.right)) {
    return node(node(left, lot, inner, order), right.lot, right.right, order);
  }
  const outer = node(inner.right, right.lot, right.right, order);
  return node(node(left, lot, inner.left, order), inner.lot, outer, order);
}

function raiseLeft(left: LotTree, lot: Lot, right: Tree, order: LotOrder): LotTree {
  const inner = left.right;
  if (!inner || weight(inner) < 2 * weight(left.left)) {
    return node(left.left, left.lot, node(inner, lot, right, order), order);
  }
  const outer = node(left.left, left.lot, inner.left, order);
  return node(outer, inner.lot, node(inner.right, lot, right, order), order);
}

function isTooHeavy(tree: LotTree, other: Tree): boolean {
  return weight(tree) > 3 * weight(other);
}

function weight(tree: Tree): number {
  return 1 + (tree?.size ?? 0);
}
