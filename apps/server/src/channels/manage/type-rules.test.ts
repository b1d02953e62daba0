import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import { keyLines, readOther } from './type-rules.ts'

function codeOf(read: () => unknown): string {
  try {
    read()
    return 'accepted'
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

describe('the free field', () => {
  it('is the version 2.1 for Spark when nothing was chosen', () => {
    expect([readOther('', 18), readOther('v3.5', 18), readOther('', 1)]).toEqual(['v2.1', 'v3.5', ''])
  })

  it('is a region for Vertex, or regions by model with one for the others', () => {
    expect(readOther('us-central1', 41)).toBe('us-central1')
    expect(readOther('{"default":"us-central1","gemini-pro":"europe-west1"}', 41)).toContain('europe')
    expect(codeOf(() => readOther('', 41))).toBe('channel_region_required')
    for (const other of ['{"gemini-pro":"europe-west1"}', '{"default":""}', '{"default":1}', '[]'])
      expect(codeOf(() => readOther(other, 41))).toBe('channel_region_default_required')
  })

  it('is nothing that SiliconCloud needs', () => expect(readOther('', 40)).toBe(''))
})

describe('keys', () => {
  const account = { type: 'service_account', client_email: 'a@p.example', private_key: '-----BEGIN\nü' }

  it('of Vertex are service accounts, one line each however they were pasted', () => {
    const line = keyLines(JSON.stringify(account, null, 2), 41)
    expect(line).toMatch(/^[ -~]+$/)
    expect(JSON.parse(line)).toEqual(account)
    expect(keyLines(JSON.stringify([account, account], null, 2), 41)).toBe(`${line}\n${line}`)
    expect(keyLines(`${line}\n\n${line}\n`, 41)).toBe(`${line}\n${line}`)
  })

  it.each(['sk-plain', '{"client_email":"a"}', 'null', '[1]', '{'])('of Vertex are not %s', (text) => {
    expect(codeOf(() => keyLines(text, 41))).toBe('channel_service_account_invalid')
  })

  it('of other types are left alone', () => expect(keyLines('a\nb', 40)).toBe('a\nb'))
})
