import { describe, expect, it } from 'bun:test'
import { addressInUseMessage, passwordResetMessage, verificationCodeMessage } from './templates.ts'

const hostile = '<img src=x onerror="alert(1)">&\''
const link = 'https://gate.example.com/user/reset?email=a%40b.de&token=t'
const messages = (language: 'en' | 'zh', systemName: string) => [
  verificationCodeMessage({ systemName, language, code: 'ab12cd', minutes: 10 }),
  passwordResetMessage({ systemName, language, link, username: hostile, minutes: 10 }),
  addressInUseMessage({ systemName, language }),
]

describe.each(['en', 'zh'] as const)('messages in %s', (language) => {
  it('name the installation, and escape all inserted text', () => {
    for (const { subject, html } of messages(language, hostile)) {
      expect(subject).toContain(hostile)
      expect(html).not.toContain('<img')
      expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;')
      expect(html).toContain(`<html lang="${language}">`)
    }
  })

  it('have the code, or the link, and say how long it is valid', () => {
    const [code, reset] = messages(language, 'Gate')
    expect(code?.html).toContain('>ab12cd</strong>')
    expect(reset?.html).toContain(`<a href="${link.replace('&', '&amp;')}">`)
    for (const message of [code, reset]) expect(message?.html).toContain('10')
  })
})
