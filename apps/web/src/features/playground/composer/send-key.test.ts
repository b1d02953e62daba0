import { expect, it } from 'bun:test'
import { isSendKey } from './send-key.ts'

const enter = { key: 'Enter', shiftKey: false, altKey: false, isComposing: false, keyCode: 13 }

it('Enter sends', () => {
  expect(isSendKey(enter)).toBe(true)
})

it('Enter with Shift, other keys, and the Enter that chooses a word do not', () => {
  expect(isSendKey({ ...enter, shiftKey: true })).toBe(false)
  expect(isSendKey({ ...enter, altKey: true })).toBe(false)
  expect(isSendKey({ ...enter, key: 'a' })).toBe(false)
  expect(isSendKey({ ...enter, isComposing: true })).toBe(false)
  expect(isSendKey({ ...enter, keyCode: 229 })).toBe(false)
})
