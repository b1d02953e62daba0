import { describe, expect, it } from 'bun:test'
import { editedBytes, restoringEdit } from './received-response.ts'

const echo = { previous_response_id: 'resp_1' }
const edit = (stated: Record<string, unknown>) => restoringEdit(stated, undefined) ?? ((text: string) => text)
const restored = (text: string, stated: Record<string, unknown> = echo) => edit(stated)(text)

describe('members that a response echoes', () => {
  it('is put where the upstream says that there was nothing', () => {
    expect(restored('{"id":"a","previous_response_id": null,"b":1}')).toBe(
      '{"id":"a","previous_response_id":"resp_1","b":1}',
    )
  })

  it('is put nowhere else: not into texts, nor over an id', () => {
    const text = JSON.stringify({ text: '"previous_response_id":null', previous_response_id: 'resp_0' })
    expect(restored(text)).toBe(text)
  })

  it('leaves the bytes alone that hold nothing of it', () => {
    const bytes = new TextEncoder().encode('data: {}\n\n')
    expect(editedBytes(bytes, edit(echo))).toBe(bytes)
    expect(restored('{"previous_response_id":null}', {})).toBe('{"previous_response_id":null}')
  })
})
