import { describe, expect, it } from 'bun:test'
import { Refusal } from '../lib/refusal.ts'
import { refuseBadDisplayName, refuseBadPassword, refuseBadUsername } from './credential-rules.ts'

function codeOf(act: () => void): string {
  try {
    act()
    return 'fine'
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

describe('what names and passwords may be', () => {
  it('takes usernames of 1 to 32 characters in any script', () => {
    for (const name of ['a', 'x'.repeat(32), '𝒳'.repeat(32), '王小明', 'Ann Lee', `o'brien`])
      expect(codeOf(() => refuseBadUsername(name))).toBe('fine')
    for (const name of ['', ' a', 'a ', 'x'.repeat(33), 'a\nb', 'a\u0000b', 'a\u2028b', 'a\u007fb'])
      expect(codeOf(() => refuseBadUsername(name))).toBe('username_invalid')
  })

  it('takes passwords of 8 to 128 characters', () => {
    for (const password of ['12345678', 'x'.repeat(128), '密码密码密码密码'])
      expect(codeOf(() => refuseBadPassword(password))).toBe('fine')
    for (const password of ['', '1234567'])
      expect(codeOf(() => refuseBadPassword(password))).toBe('password_short')
    expect(codeOf(() => refuseBadPassword('x'.repeat(129)))).toBe('password_too_long')
  })

  it('takes display names of up to 32 characters', () => {
    expect(codeOf(() => refuseBadDisplayName('Ünal '.repeat(6)))).toBe('fine')
    for (const name of ['x'.repeat(33), 'a\tb'])
      expect(codeOf(() => refuseBadDisplayName(name))).toBe('display_name_invalid')
  })
})
