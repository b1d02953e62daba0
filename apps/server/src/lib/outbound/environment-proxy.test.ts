import { describe, expect, it } from 'bun:test'
import { findUnusableProxy, hasEnvironmentProxy } from './environment-proxy.ts'

describe('hasEnvironmentProxy', () => {
  it.each([
    [false, {}],
    [false, { PATH: '/bin', no_proxy: '*', NO_PROXY: '*', http_proxy_user: 'x', MY_HTTP_PROXY: 'x' }],
    [false, { http_proxy: '', HTTPS_PROXY: '', all_proxy: undefined }],
    [true, { http_proxy: 'http://proxy:3128' }],
    [true, { HTTP_PROXY: 'http://proxy:3128' }],
    [true, { https_proxy: 'proxy:3128', http_proxy: '' }],
    [true, { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' }],
    [true, { ALL_PROXY: 'http://proxy:3128' }],
    [true, { all_proxy: 'http://proxy:3128' }],
  ])('is %p for %j', (has, environment) => {
    expect(hasEnvironmentProxy(environment)).toBe(has)
  })
})

describe('findUnusableProxy', () => {
  it.each([
    { PATH: 'socks5://not-a-proxy:1', HTTPS_PROXY: 'http://user:p%40ss@proxy:3128/' },
    { https_proxy: 'https://proxy', HTTP_PROXY: 'proxy:3128', NO_PROXY: 'socks5://x' },
    { all_proxy: '', HTTPS_PROXY: undefined },
    { http_proxy: 'http://[2001:db8::1]:3128' },
  ])('finds nothing wrong with %j', (environment) => {
    expect(findUnusableProxy(environment)).toBeUndefined()
  })

  it.each([
    ['HTTPS_PROXY', 'socks5://user:hidden-word@proxy:1080'],
    ['https_proxy', 'SOCKS5H://proxy:1080'],
    ['HTTP_PROXY', 'socks4://proxy:1080'],
    ['all_proxy', 'socks://proxy:1080'],
    ['ALL_PROXY', 'ftp://proxy:21'],
    ['http_proxy', 'http://'],
    ['HTTPS_PROXY', 'two words'],
  ])('names %s of %s, and tells no password', (name, value) => {
    const found = findUnusableProxy({ PATH: '/bin', [name]: value })
    expect(found?.name).toBe(name)
    expect(found?.problem).not.toContain('hidden-word')
    expect(found?.problem).toContain('http')
  })
})
