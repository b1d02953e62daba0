import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../../lib/refusal.ts'
import {
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from './passwords.ts'

function codeOf(refuse: () => void): string {
  try {
    refuse()
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

describe('a username', () => {
  it.each(['a', 'ann lee', '安', '安'.repeat(32), '🐎'.repeat(32), "o'hara;drop table"])(
    'may be %p',
    (name) => {
      expect(codeOf(() => refuseBadUsername(name))).toBe('accepted')
    },
  )

  it.each([
    '',
    ' ',
    ' ann',
    'ann ',
    'a\tb',
    'a\nb',
    'a\0b',
    'a\u200bb',
    '\u202eann',
    '\ud800',
    'a'.repeat(33),
  ])('may not be %p', (name) => {
    expect(codeOf(() => refuseBadUsername(name))).toBe('username_invalid')
  })

  it('may be an address only when it is one’s own', () => {
    expect(codeOf(() => refuseForeignAddress('ann@example.com', ''))).toBe('username_is_address')
    expect(codeOf(() => refuseForeignAddress('ann@example.com', 'bob@example.com'))).toBe(
      'username_is_address',
    )
    expect(codeOf(() => refuseForeignAddress('Ann@example.com', 'ann@example.com'))).toBe('accepted')
    expect(codeOf(() => refuseForeignAddress('ann', ''))).toBe('accepted')
  })
})

it('a password has 8 to 128 characters', () => {
  const code = (password: string) => codeOf(() => refuseBadPassword(password))
  expect([code('x'.repeat(7)), code('x'.repeat(8))]).toEqual(['password_short', 'accepted'])
  expect([code('密'.repeat(128)), code('x'.repeat(129))]).toEqual(['accepted', 'password_too_long'])
})

it('a display name has at most 32 characters that can be seen', () => {
  const code = (name: string) => codeOf(() => refuseBadDisplayName(name))
  expect([code('Ann Lee'), code(''), code('安'.repeat(32))]).toEqual(['accepted', 'accepted', 'accepted'])
  expect([code('x'.repeat(33)), code('a\u202eb')]).toEqual(['display_name_invalid', 'display_name_invalid'])
})
