import { describe, expect, it } from 'bun:test'
import { redact } from './redact.ts'

const secrets = {
  keys: ['sk-proj-AbCdEfGh12345678', 'app-1234|tok3n-of-the-app'],
  hosts: ['api.example.com', 'localhost:11434'],
}

describe('redact', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-AbCdEfGh12345678.', 'Incorrect API key provided: [key].'],
    ['Incorrect API key provided: sk-pr***********5678.', 'Incorrect API key provided: [key].'],
    ['Incorrect API key provided: xa***y.', 'Incorrect API key provided: [key].'],
    ['key sk-abc...xyz is wrong', 'key [key] is wrong'],
    ['token tok3n-of-the-app refused', 'token [key] refused'],
    ['another sk-ABCDEFGHIJKLMNOPQRST here', 'another [key] here'],
    ['AIzaSyA1234567890123456789012345678901', '[key]'],
    ['see https://platform.example.com/account/api-keys.', 'see [address]'],
    ['lookup API.example.com: no such host', 'lookup [address]: no such host'],
    ['connect localhost:11434 refused', 'connect [address] refused'],
    ['dial tcp 10.0.12.7:443: timeout', 'dial tcp [address]: timeout'],
    ['dial tcp [2001:db8::8a2e:370:7334]:443 failed', 'dial tcp [address] failed'],
    ['for organization org-AbC123dEf456 on requests', 'for organization [organization] on requests'],
  ])('takes the secret out of %j', (text, expected) => {
    expect(redact(text, secrets)).toBe(expected)
  })

  it.each([
    'This model supports at most 4096 tokens, however you requested 9000: reduce max_tokens.',
    'Invalid value: "bold" at messages[0].content, expected one of text, image_url',
    'Rate limit reached at 12:30:45, try again in 1.5s',
    'std::vector and sky-high asks',
  ])('leaves %j as it is', (text) => {
    expect(redact(text, secrets)).toBe(text)
  })

  it('does not spoil messages for the sake of a key of one letter', () => {
    expect(redact('an example', { keys: ['a', ''], hosts: [''] })).toBe('an example')
  })

  it('takes time in proportion to a hostile text', () => {
    const text = `${'a'.repeat(200_000)} ${'sk-'.repeat(60_000)} ${'1.1.'.repeat(50_000)} ${'a:'.repeat(100_000)} ${'*'.repeat(100_000)}`
    const started = performance.now()
    redact(text, secrets)
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
