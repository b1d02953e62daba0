import { describe, expect, it } from 'bun:test'
import { canGoTo } from './checkout.ts'

describe('the way to a provider', () => {
  it('is closed to forms for addresses without HTTPS, which the browser would drop', () => {
    expect(canGoTo({ url: 'https://cashier.example/submit.php', http_method: 'POST' })).toBe(true)
    expect(canGoTo({ url: 'http://cashier.example/submit.php', http_method: 'POST' })).toBe(false)
    expect(canGoTo({ url: 'https://checkout.example/cs_1', http_method: 'GET' })).toBe(true)
  })
})
