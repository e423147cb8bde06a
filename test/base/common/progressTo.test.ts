import { progressTo } from '#base/common/progressTo';

describe('progress', () => {
  test('on a terminal an update takes the place of the one before', () => {
    expect(written(true, 0)).toBe('1 MB\r\u001b[2K2 MB\r\u001b[2Kdone\n');
  });

  test('elsewhere updates are plain lines, at most one in 5 s', () => {
    expect(written(false, 1000)).toBe('1 MB\ndone\n');
    expect(written(false, 5000)).toBe('1 MB\n2 MB\ndone\n');
  });

  function written(isTTY: boolean, stepMs: number): string {
    let text = '';
    let nowMs = 1_000_000;
    const progress = progressTo({ isTTY, write: (part) => (text += part) }, () => (nowMs += stepMs));
    progress('1 MB', true);
    progress('2 MB', true);
    progress('done');
    return text;
  }
});
