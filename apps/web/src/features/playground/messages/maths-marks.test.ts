import { describe, expect, it } from 'bun:test'
import { holdsMaths, withMathsMarks } from './maths-marks.ts'

describe('formulas', () => {
  it('are found in every spelling', () => {
    expect(withMathsMarks('So \\(a^2\\) is.')).toBe('So $$a^2$$ is.')
    expect(withMathsMarks('\\[ x = 1 \\]')).toBe('\n$$\nx = 1\n$$\n')
    expect(withMathsMarks('With $E = mc^2$, and ($n$).')).toBe('With $$E = mc^2$$, and ($$n$$).')
    expect(holdsMaths('$$\nx\n$$')).toBe(true)
    expect(holdsMaths('So $$a^2$$ is.')).toBe(true)
  })

  it('are not found in money or code', () => {
    for (const text of [
      'From $5 to $10.',
      '$5-$10',
      'It costs $4.50, not $ 5 $.',
      '`$HOME and $PATH`',
      '```sh\necho $A$ \\(x\\)\n```',
      '```sh\necho $A$ not ended',
      '```sh\necho $$ and $$\n```',
      'escaped \\$a\\$',
    ]) {
      expect(withMathsMarks(text)).toBe(text)
      expect(holdsMaths(text)).toBe(false)
    }
  })
})
