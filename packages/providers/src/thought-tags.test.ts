import { describe, expect, it } from 'bun:test'
import { endTagged, newThoughtTagState, readTagged } from './thought-tags.ts'

const folded = '<details style="color:gray;" open> <summary> Thinking... </summary>\n'

/** What is said of a text that comes in these pieces: thoughts, and the answer. */
function read(pieces: readonly string[], firstOnly = false) {
  const state = newThoughtTagState({ firstOnly })
  const said = [...pieces.flatMap((piece) => readTagged(state, piece)), ...endTagged(state)]
  const join = (isThought: boolean) =>
    said
      .filter((each) => each.isThought === isThought)
      .map(({ text }) => text)
      .join('')
  return { thoughts: join(true), answer: join(false) }
}

describe('thought tags', () => {
  it.each([
    ['<think>\nhm</think>\n\nHello <b>', 'hm', 'Hello <b>'],
    [`${folded}hm</details>\n\nHello`, 'hm', 'Hello'],
    [`Once. ${folded}hm</details>Again. <think>so</think>End`, 'hmso', 'Once. Again. End'],
    ['<think>never ended', 'never ended', ''],
    ['<details><summary>Log</summary>x</details> y', '', '<details><summary>Log</summary>x</details> y'],
    ['a < b and <details', '', 'a < b and <details'],
    ['', '', ''],
  ])('of %j are told from the answer, wherever it is cut', (text, thoughts, answer) => {
    expect(read([text])).toEqual({ thoughts, answer })
    expect(read([...text])).toEqual({ thoughts, answer })
    for (let place = 0; place < text.length; place++)
      expect(read([text.slice(0, place), text.slice(place)])).toEqual({ thoughts, answer })
  })

  it('quoted in an answer are its text, where thoughts come first or never', () => {
    const text = ' Write <think> to begin.'
    expect(read([...text], true)).toEqual({ thoughts: '', answer: text.trimStart() })
    expect(read([...'\n<think>hm</think>Say <think>.'], true)).toEqual({
      thoughts: 'hm',
      answer: 'Say <think>.',
    })
  })

  it('never hold back more than a tag is long', () => {
    const state = newThoughtTagState({ firstOnly: false })
    const text = `<details>${'x'.repeat(400)}`
    expect(readTagged(state, text)).toEqual([{ isThought: false, text }])
  })
})
