import { describe, expect, it } from 'bun:test'
import { authorizationAddress } from './bindings.ts'

const status = {
  server_address: 'https://gate.example/',
  github_client_id: 'github-id',
  linuxdo_client_id: 'linuxdo-id',
  oidc_client_id: 'oidc-id',
  oidc_authorization_endpoint: 'https://id.example/authorize?tenant=1',
}
const flow = { state: 'abc', code_challenge: 'xyz', code_challenge_method: 'S256', nonce: 'once' }

describe("a provider's authorization page", () => {
  it('is asked by OIDC for scope, nonce and the way back, beside what its address asks already', () => {
    const url = new URL(authorizationAddress('oidc', status, flow, 'http://here.test'))
    expect(url.origin + url.pathname).toBe('https://id.example/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: '1',
      client_id: 'oidc-id',
      scope: 'openid profile email',
      nonce: 'once',
      response_type: 'code',
      redirect_uri: 'https://gate.example/oauth/oidc',
      state: 'abc',
      code_challenge: 'xyz',
      code_challenge_method: 'S256',
    })
  })

  it('leads back to where the page came from while the installation has no address', () => {
    const here = { ...status, server_address: '' }
    const url = new URL(authorizationAddress('linuxdo', here, flow, 'http://here.test'))
    expect(url.searchParams.get('redirect_uri')).toBe('http://here.test/oauth/linuxdo')
    expect(url.searchParams.has('nonce')).toBe(false)
  })

  it('names to GitHub the client alone: the way back is registered there', () => {
    const url = new URL(authorizationAddress('github', status, flow, 'http://here.test'))
    expect(url.searchParams.get('client_id')).toBe('github-id')
    expect(url.searchParams.has('redirect_uri')).toBe(false)
  })
})
