import type { Message } from '#base/common/messages/message';
import type { JsonPath, RuleSource, SourcePosition } from '../../source/ruleSource';
import type { Row } from './cell';

/** The origin of a part of a row's rule. `part` is the path in that rule. */
export interface CellOrigin {
  part: JsonPath;
  from: { cell: Omit<Row, 'cells'> } | { path: JsonPath };
}

/** The source of a row's rule. It reports a fault at the cell, at the column, or in the rule of the table. */
export class RowSource implements RuleSource {
  faultCount = 0;

  /**
   * @param template the source of the table's rule
   * @param at the path of that rule in its file
   * @param origins when one part contains another, the longer path must come first
   */
  constructor(
    private readonly template: RuleSource,
    private readonly at: JsonPath,
    private readonly row: Row,
    private readonly origins: readonly CellOrigin[],
  ) {}

  get isFull(): boolean {
    return this.template.isFull;
  }

  get file() {
    return this.template.file;
  }

  error(path: JsonPath, fault: Message): void {
    this.faultCount += 1;
    const from = this.fromOf(path);
    if ('cell' in from) from.cell.error(fault);
    else this.template.error(from.path, fault);
  }

  keyError(path: JsonPath, fault: Message): void {
    this.faultCount += 1;
    const from = this.fromOf(path);
    if ('cell' in from) from.cell.error(fault);
    else this.template.keyError(from.path, fault);
  }

  warning(path: JsonPath, fault: Message): void {
    const from = this.fromOf(path);
    if ('cell' in from) from.cell.warning(fault);
    else this.template.warning(from.path, fault);
  }

  placeOf(path: JsonPath): SourcePosition {
    const from = this.fromOf(path);
    return 'cell' in from ? from.cell.place() : this.template.placeOf(from.path);
  }

  private fromOf(path: JsonPath): CellOrigin['from'] {
    const part = path.slice(this.at.length);
    if (part.length === 0) return { cell: this.row };
    const origin = this.origins.find((each) => each.part.every((name, depth) => name === part[depth]));
    if (!origin) return { path };
    return 'cell' in origin.from ? origin.from : { path: [...origin.from.path, ...part.slice(origin.part.length)] };
  }
}
