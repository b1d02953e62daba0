import { describe, expect, it } from 'bun:test'
import { withHiddenPassword, withoutUrlPasswords, withStoredPassword } from './proxy-password.ts'

const stored = '{"force_format":true,"proxy":"http://ann:p:w@proxy.example:3128"}'
const visible = '{"force_format":true,"proxy":"http://ann:***@proxy.example:3128"}'

describe("the password of a channel's proxy", () => {
  it('is hidden, and everything else is shown as it was written', () => {
    expect(withHiddenPassword(stored)).toBe(visible)
    for (const setting of ['', '{ "force_format": true }', '{"proxy": "http://proxy.example:3128"}'])
      expect(withHiddenPassword(setting)).toBe(setting)
  })

  it('is hidden in an unreadable setting too', () => {
    expect(withHiddenPassword('{"proxy":"http:\\/\\/ann:pw@host"')).not.toContain('pw')
  })

  it('is the stored one when the form sends the hidden one back', () => {
    expect(withStoredPassword(visible, stored)).toBe(stored)
    expect(withStoredPassword('{"proxy":"http://ann:***@proxy.example:3128"}', stored)).toContain('p:w')
    expect(withStoredPassword('{"proxy":"http://ann:new@proxy.example:3128"}', stored)).toContain('new')
    expect(withStoredPassword('', stored)).toBe('')
  })

  it('is never sent to another address', () => {
    for (const host of ['other.example:3128', 'proxy.example:3129'])
      expect(() => withStoredPassword(`{"proxy":"http://ann:***@${host}"}`, stored)).toThrow(
        'password of the proxy',
      )
    expect(() => withStoredPassword(visible, '')).toThrow('password of the proxy')
  })

  it('is removed from any text', () => {
    expect(withoutUrlPasswords('{"a":"https://u:secret@h/x","b":"http://h:80/@"}')).toBe(
      '{"a":"https://u:***@h/x","b":"http://h:80/@"}',
    )
  })
})
