import { afterAll, describe, expect, it } from 'bun:test'
import type { OpenApiDocument } from '@tollgate/api/openapi'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'
import { openApiRoutes } from './open-api-routes.ts'

afterAll(closeTestStores)

describe('GET /api/openapi.json', () => {
  it('is small on the wire', async () => {
    const { raw } = await consoleFixture({ routes: openApiRoutes({ version: '1.2.3' }) })
    const response = await raw('GET', '/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.length).toBeLessThan(62_000)
    expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes))).info.version).toBe('1.2.3')
  })

  it('is for everybody, with the statuses that refusals have here', async () => {
    const { raw } = await consoleFixture({ routes: openApiRoutes({ version: '1.2.3' }) })
    const response = await raw('GET', '/api/openapi.json')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const document = (await response.json()) as OpenApiDocument
    expect(document.info.version).toBe('1.2.3')
    const { responses } = document.paths['/api/token/']?.post ?? {}
    expect(Object.keys(responses ?? {})).toEqual(['200', '401', '413', '429', '500', '503'])
  })
})
