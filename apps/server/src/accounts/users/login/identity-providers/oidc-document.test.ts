import { afterAll, describe, expect, it } from 'bun:test'
import { Refusal } from '../../../../lib/refusal.ts'
import { readOidcDocument } from './oidc.ts'
import { startProviderServer } from './test-support/provider-server.ts'

const provider = startProviderServer({
  '/whole': () => ({
    issuer: provider.url,
    authorization_endpoint: 'https://id.example/authorize',
    token_endpoint: 'https://id.example/token',
    userinfo_endpoint: 'https://id.example/userinfo',
  }),
  '/short': () => ({ authorization_endpoint: 'https://id.example/authorize' }),
  '/strange': () => ({ authorization_endpoint: 'javascript:alert(1)' }),
  '/page': () => ({ status: 200, body: '<p>Hello</p>' }),
})
afterAll(() => provider.stop())

const codeOf = (url: string) =>
  readOidcDocument(url).then(
    () => 'read',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe("a provider's document", () => {
  it('names its addresses', async () => {
    expect(await readOidcDocument(` ${provider.url}/whole `)).toEqual({
      authorization_endpoint: 'https://id.example/authorize',
      token_endpoint: 'https://id.example/token',
      userinfo_endpoint: 'https://id.example/userinfo',
    })
    expect(await readOidcDocument(`${provider.url}/short`)).toMatchObject({ token_endpoint: '' })
  })

  it('is requested from http addresses alone', async () => {
    expect(await codeOf('id.example/whole')).toBe('oidc_document_address')
    expect(await codeOf('file:///etc/passwd')).toBe('oidc_document_address')
  })

  it('is refused when it is missing or invalid', async () => {
    for (const path of ['/missing', '/page', '/strange'])
      expect(await codeOf(provider.url + path)).toBe('oidc_document_failed')
    expect(await codeOf('http://127.0.0.1:1/')).toBe('oidc_document_failed')
    expect(await codeOf('http://')).toBe('oidc_document_failed')
  })
})
