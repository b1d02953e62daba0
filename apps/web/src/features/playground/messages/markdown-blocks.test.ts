import { describe, expect, it } from 'bun:test'
import { markdownBlocks } from './markdown-blocks.ts'

const text = [
  '# Title',
  '',
  'One',
  'two.',
  '',
  '- a',
  '',
  '- b',
  '',
  '  more of b',
  '',
  '```ts',
  'const a = 1',
  '',
  'const b = 2',
  '```',
  '',
  '$$',
  'x',
  '',
  'y',
  '$$',
  '',
  'End',
].join('\n')

describe('pieces of Markdown', () => {
  it('are whole blocks: lists, code and formulas stay together', () => {
    expect(markdownBlocks(text).map((block) => block.trim())).toEqual([
      '# Title',
      'One\ntwo.',
      '- a\n\n- b\n\n  more of b',
      '```ts\nconst a = 1\n\nconst b = 2\n```',
      '$$\nx\n\ny\n$$',
      'End',
    ])
  })

  it('stay the same when more is written, but for the last', () => {
    for (let end = 1; end < text.length; end += 1) {
      const before = markdownBlocks(text.slice(0, end)).slice(0, -1)
      // A line that turns out to be a list item or a longer word may still join what stands before it.
      const after = markdownBlocks(text)
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(
        before.slice(0, Math.max(0, before.length - 1)),
      )
    }
  })

  it('lose nothing of what is written', () => {
    expect(markdownBlocks(text).join('\n').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    expect(markdownBlocks('')).toEqual([])
    expect(markdownBlocks('```\nopen\n\nend')).toEqual(['```\nopen\n\nend'])
  })
})
