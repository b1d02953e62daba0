import { describe, expect, it } from 'bun:test'
import { hostAndPort, localUrl, visibleUrl } from './listen-address.ts'

describe('where a gateway is reached that listens at a host', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000', 'http://localhost:3000'],
    ['::', 'http://[::1]:3000', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000', 'http://[::1]:3000'],
    ['2001:db8::7', 'http://[2001:db8::7]:3000', 'http://[2001:db8::7]:3000'],
    ['gateway.example', 'http://gateway.example:3000', 'http://gateway.example:3000'],
  ])('%s: by a command at %s, by a browser at %s', (host, local, visible) => {
    expect([localUrl(host, 3000), visibleUrl(host, 3000)]).toEqual([local, visible])
    expect(URL.canParse(local) && URL.canParse(visible)).toBe(true)
  })

  it('is this machine where none is set', () => {
    expect(['http://127.0.0.1:3000', 'http://[::1]:3000']).toContain(localUrl(undefined, 3000))
    expect(visibleUrl(undefined, 3000)).toBe('http://localhost:3000')
  })

  it('has the zone of a link-local address percent-encoded', () => {
    expect(hostAndPort('fe80::1%eth0', 80)).toBe('[fe80::1%25eth0]:80')
  })
})
