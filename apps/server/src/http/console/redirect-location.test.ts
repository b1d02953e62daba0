import { describe, expect, it } from 'bun:test'
import { redirectLocation } from './write-response.ts'

describe('redirectLocation', () => {
  it.each([
    ['/', '/'],
    ['/login?error=a&b=%20c#d', '/login?error=a&b=%20c#d'],
    ['/a b/ü', '/a%20b/%C3%BC'],
    ['/a/../b', '/b'],
    ['/a?next=//evil.example', '/a?next=//evil.example'],
  ] as const)('stays on this site: %s', (location, sent) => {
    expect(redirectLocation({ location })).toBe(sent)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'login',
    '',
  ])('does not leave this site by %j', (location) => {
    expect(() => redirectLocation({ location: location as '/' })).toThrow('leave this site')
  })

  it('leads to another site that the handler names', () => {
    const allowedOrigins = ['https://github.com']
    const to = (location: string) => redirectLocation({ location, allowedOrigins })
    expect(to('https://github.com/login/oauth/authorize?state=x')).toBe(
      'https://github.com/login/oauth/authorize?state=x',
    )
    for (const other of [
      'https://github.com.evil.example/',
      'http://github.com/',
      'https://someone:secret@github.com/',
      'https://github.com:8443/',
      '/login',
      'javascript:alert(1)',
    ]) {
      expect(() => to(other)).toThrow('leave this site')
    }
    expect(() => redirectLocation({ location: 'javascript:alert(1)', allowedOrigins: ['null'] })).toThrow(
      'leave this site',
    )
  })
})
