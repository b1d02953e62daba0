import { describe, expect, it } from 'bun:test'
import { maxSteps, type Step, spineOf, spineTable, stepsIn } from './spine.ts'

const source = `
/** Reads a call. Throws for others. @step */
export function read(text: string) {
  return text.trim()
}

function helper() {}

/** Answers in one go. */
class Answer {
  /**
   * Sends what was made,
   * in order.
   * @step
   */
  send() {
    return 1
  }
}
`
const [read, send] = stepsIn('a.ts', source) as [Step, Step]

describe('stepsIn', () => {
  it('finds tagged functions with their lines and first sentence', () => {
    expect(read).toEqual({ name: 'read', file: 'a.ts', from: 3, to: 5, adds: 'Reads a call' })
    expect(send).toEqual({
      name: 'send',
      file: 'a.ts',
      from: 16,
      to: 18,
      adds: 'Sends what was made, in order',
    })
  })

  it('refuses a step that says nothing, and one that documents nothing', () => {
    expect(() => stepsIn('a.ts', '/** @step */\nfunction a() {}')).toThrow('no sentence')
    expect(() => stepsIn('a.ts', 'function a() {}\n/** Adds. @step */')).toThrow('documents no function')
  })
})

describe('spineOf', () => {
  it('orders steps by their first entry, closures included', () => {
    const steps = spineOf([read, send], ['b.ts:4', 'a.ts:17', 'a.ts:4', 'a.ts:17'])
    expect(steps.map(({ name }) => name)).toEqual(['send', 'read'])
    expect(spineTable(steps).split('\n')[2]).toBe('| 1 | `send` | `a.ts` | Sends what was made, in order |')
  })

  it('refuses steps that a call does not enter, and more than a spine has', () => {
    expect(() => spineOf([read, send], ['a.ts:4'])).toThrow('a.ts send')
    const many = Array.from({ length: maxSteps + 1 }, () => read)
    expect(() => spineOf(many, ['a.ts:4'])).toThrow('at most')
  })
})
