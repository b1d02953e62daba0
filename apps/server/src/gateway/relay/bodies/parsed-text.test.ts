import { describe, expect, it } from 'bun:test'
import { splitLargeLiterals, withLargeLiterals } from './parsed-text.ts'

const large = 'iVBORw0KGgo'.padEnd(700_000, 'Ab0+/')

function split(value: unknown) {
  const original = JSON.stringify(value)
  return { ...splitLargeLiterals(original), original }
}

const joined = (text: string, remainders: readonly string[]) =>
  [withLargeLiterals(text, remainders)].flat().join('')

describe('splitLargeLiterals', () => {
  it('keeps large base64 apart, of data URLs and of the fields that hold it, and puts it back', () => {
    const body = {
      messages: [
        { image_url: { url: `data:image/png;base64,${large}` } },
        { source: { type: 'base64', media_type: 'image/png', data: large } },
        { inlineData: { mimeType: 'image/png', data: `${large}==` } },
      ],
    }
    const { text, remainders, original } = split(body)
    expect(remainders).toHaveLength(3)
    expect(text.length).toBeLessThan(300_000)
    expect(joined(text, remainders)).toBe(original)
    expect(text).toContain('data:image/png;base64,iVBORw0KGgo')
    // Written anew in another order, as another format does.
    const parsed = JSON.parse(text)
    parsed.messages.reverse()
    expect(JSON.parse(joined(JSON.stringify(parsed), remainders))).toEqual({
      messages: body.messages.toReversed(),
    })
  })

  it('leaves alone what is not large, not base64, or not said to be', () => {
    for (const value of [
      { data: 'short' },
      { text: large },
      { data: `${large}"quoted"` },
      { data: `${large}\n` },
      { url: `data:text/plain,${large}` },
      // A translation reads the text of such a file.
      { file_data: `data:text/csv;base64,${large}` },
      { b64: large },
    ]) {
      const { text, remainders, original } = split(value)
      expect(remainders).toEqual([])
      expect(text).toBe(original)
    }
  })

  it('leaves a text that is no JSON to the parser', () => {
    for (const text of ['', '"', '{"data":"', `{"data":"${large}`, `\\"${large}`])
      expect(splitLargeLiterals(text)).toEqual({ text, remainders: [] })
  })
})
