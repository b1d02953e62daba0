import { describe, expect, it } from 'bun:test'
import { endTagged, newReasoningTagState, readTagged } from './reasoning-tags.ts'

const folded = '<details style="color:gray;" open> <summary> Thinking... </summary>\n'

/** The reading of a text that arrives in these pieces: reasoning, and the response. */
function read(pieces: readonly string[], firstOnly = false) {
  const state = newReasoningTagState({ firstOnly })
  const stated = [...pieces.flatMap((piece) => readTagged(state, piece)), ...endTagged(state)]
  const join = (isReasoning: boolean) =>
    stated
      .filter((each) => each.isReasoning === isReasoning)
      .map(({ text }) => text)
      .join('')
  return { reasoning: join(true), response: join(false) }
}

describe('reasoning tags', () => {
  it.each([
    ['<think>\nhm</think>\n\nHello <b>', 'hm', 'Hello <b>'],
    [`${folded}hm</details>\n\nHello`, 'hm', 'Hello'],
    [`Once. ${folded}hm</details>Again. <think>so</think>End`, 'hmso', 'Once. Again. End'],
    ['<think>never ended', 'never ended', ''],
    ['<details><summary>Log</summary>x</details> y', '', '<details><summary>Log</summary>x</details> y'],
    ['a < b and <details', '', 'a < b and <details'],
    ['', '', ''],
  ])('of %j are separated from the response, wherever it is cut', (text, reasoning, response) => {
    expect(read([text])).toEqual({ reasoning, response })
    expect(read([...text])).toEqual({ reasoning, response })
    for (let position = 0; position < text.length; position++)
      expect(read([text.slice(0, position), text.slice(position)])).toEqual({ reasoning, response })
  })

  it('quoted in a response are its text, where thoughts come first or never', () => {
    const text = ' Write <think> to begin.'
    expect(read([...text], true)).toEqual({ reasoning: '', response: text.trimStart() })
    expect(read([...'\n<think>hm</think>Say <think>.'], true)).toEqual({
      reasoning: 'hm',
      response: 'Say <think>.',
    })
  })

  it('never hold back more than a tag is long', () => {
    const state = newReasoningTagState({ firstOnly: false })
    const text = `<details>${'x'.repeat(400)}`
    expect(readTagged(state, text)).toEqual([{ isReasoning: false, text }])
  })
})
