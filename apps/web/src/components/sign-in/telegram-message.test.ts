import { describe, expect, it } from 'bun:test'
import { readTelegramMessage } from './telegram-message.ts'

describe("a message of Telegram's frame", () => {
  it('reads the identity, with every field as it came', () => {
    const identity = { id: 7, first_name: 'Ann', auth_date: 1_700_000_000, hash: 'ab' }
    const data = JSON.stringify({ event: 'auth_user', auth_data: identity })
    expect(readTelegramMessage(data)).toEqual({ kind: 'identity', identity })
  })

  it('is nothing until the user presses the button', () => {
    const data = { event: 'auth_user', auth_data: { id: 7 }, init: true }
    expect(readTelegramMessage(JSON.stringify(data))).toBeUndefined()
  })

  it('says how large the button is', () => {
    expect(readTelegramMessage('{"event":"resize","width":238,"height":40}')).toEqual({
      kind: 'size',
      width: 238,
      height: 40,
    })
  })

  it.each([
    'no JSON',
    '[]',
    '{"event":"auth_user"}',
    '{"event":"auth_user","auth_data":{"id":{}}}',
    7,
    undefined,
  ])('is nothing when it is not understood: %p', (data) => {
    expect(readTelegramMessage(data)).toBeUndefined()
  })
})
