import { describe, expect, it } from 'bun:test'
import { relayPath } from './paths.ts'

describe('relayPath', () => {
  it('knows the endpoints that are served, with and without a trailing slash', () => {
    expect(relayPath('POST', '/v1/chat/completions')).toEqual({ kind: 'call', mode: 'chat' })
    expect(relayPath('POST', '/v1/embeddings/')).toEqual({ kind: 'call', mode: 'embeddings' })
    expect(relayPath('GET', '/v1/models')).toEqual({ kind: 'model-list' })
    expect(relayPath('GET', '/v1/models/org%2Fname')).toEqual({ kind: 'model', model: 'org/name' })
    expect(relayPath('POST', '/v1/engines/ada/embeddings')).toEqual({
      kind: 'call',
      mode: 'embeddings',
      modelFromPath: 'ada',
    })
  })

  it('tells an endpoint that is not served from one that does not exist', () => {
    expect(relayPath('POST', '/v1/images/generations').kind).toBe('not-implemented')
    expect(relayPath('POST', '/v1/nothing').kind).toBe('unknown')
    expect(relayPath('GET', '/v1/chat/completions').kind).toBe('unknown')
  })

  it('survives a path that cannot be decoded', () => {
    expect(relayPath('GET', '/v1/models/%E0%A4%A')).toEqual({ kind: 'model', model: '%E0%A4%A' })
  })
})
