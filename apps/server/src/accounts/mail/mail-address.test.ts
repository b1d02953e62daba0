import { describe, expect, it } from 'bun:test'
import { inboxOf, readMailAddress } from './mail-address.ts'

describe('readMailAddress', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann.Lee+news@Mail.Example.COM ', 'Ann.Lee+news@mail.example.com'],
    ['o’hara@example.com', undefined],
    ["o'hara@example.com", "o'hara@example.com"],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@xn--p1ai.xn--p1ai', 'ann@xn--p1ai.xn--p1ai'],
  ])('reads %p as %p', (text, address) => {
    expect(readMailAddress(text)).toBe(address)
  })

  it.each([
    '',
    '@',
    'ann',
    'ann@',
    '@example.com',
    'ann@localhost',
    'ann@example.com;bob@example.com',
    'ann@example.com,bob@example.com',
    'ann@example.com bob@example.com',
    'ann@example.com\r\nbcc: bob@example.com',
    'ann\r\n@example.com',
    'ann@example.com\0',
    'Ann <ann@example.com>',
    '"ann lee"@example.com',
    'ann@bob@example.com',
    '.ann@example.com',
    'ann..lee@example.com',
    'ann@-example.com',
    'ann@example..com',
    'ann@[127.0.0.1]',
    'ann@127.0.0.1',
    'ann@example.com/..',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'example.'.repeat(40)}com`,
  ])('refuses %p', (text) => {
    expect(readMailAddress(text)).toBeUndefined()
  })
})

it('takes variants of an address for one inbox', () => {
  expect(inboxOf('A.n.n+1@Example.com')).toBe(inboxOf('ann@example.com'))
  expect(inboxOf('ann@example.com')).not.toBe(inboxOf('bob@example.com'))
})
