import { describe, expect, it } from 'bun:test'
import { pathOf } from './request-path.ts'

describe('the path of an address', () => {
  it.each([
    ['http://gate.test/v1/models?a=/b', '/v1/models'],
    ['http://gate.test', '/'],
    ['http://gate.test/?x', '/'],
    ['http://[/api/status', '/api/status'],
    ['http://%/api/a:b', '/api/a:b'],
    ['/v1/models?x=1', '/v1/models'],
    ['/v1/models/http://a/b', '/v1/models/http://a/b'],
  ])('is read from %s as it stands, whatever the host', (url, path) => expect(pathOf(url)).toBe(path))
})
