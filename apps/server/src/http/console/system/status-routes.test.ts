import { describe, expect, it } from 'bun:test'
import { release, status } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import { settingsInMemory } from '../../../settings/test-support/settings-in-memory.ts'
import { adminCaller, callRoute } from '../test-support/call-route.ts'
import { statusRoutes } from './status-routes.ts'

async function setUp(deps: { ping?: () => Promise<void>; isSetUp?: () => boolean | Promise<boolean> } = {}) {
  const settings = await settingsInMemory({
    Notice: '# News',
    About: 'us',
    HomePageContent: 'https://home.example',
  })
  const routes = statusRoutes({
    settings,
    version: '0.1.0',
    startedAt: 1_700_000_000,
    isSetUp: deps.isSetUp ?? (() => true),
    ping: deps.ping ?? (async () => {}),
    releaseCheck: async () => ({ tag_name: 'v9', body: 'notes', newer: true }),
  })
  return { settings, routes }
}

describe('GET /api/status', () => {
  it('follows the settings and the state of the setup', async () => {
    let done = false
    const { settings, routes } = await setUp({ isSetUp: async () => done })
    expect(await callRoute(routes, status.read, {})).toMatchObject({ setup: false, system_name: 'Tollgate' })
    done = true
    await settings.set('SystemName', 'Gate')
    expect(await callRoute(routes, status.read, {})).toMatchObject({ setup: true, system_name: 'Gate' })
  })
})

describe('GET /api/status/test', () => {
  it('succeeds while the database responds', async () => {
    const { routes } = await setUp()
    expect(await callRoute(routes, status.test, {}, adminCaller)).toBeUndefined()
  })

  it('is refused as unavailable when it does not, without telling why', async () => {
    const { routes } = await setUp({ ping: () => Promise.reject(new Error('connect 10.0.0.5:5432')) })
    const refusal = await callRoute(routes, status.test, {}, adminCaller).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect((refusal as Refusal).code).toBe('database_unavailable')
    expect((refusal as Refusal).publicMessage('en')).not.toContain('10.0.0.5')
  })
})

it('the latest release is answered as it was found', async () => {
  const { routes } = await setUp()
  expect(await callRoute(routes, release.latest, {}, adminCaller)).toEqual({
    tag_name: 'v9',
    body: 'notes',
    newer: true,
  })
})

it('site texts are answered as they are stored', async () => {
  const { routes } = await setUp()
  expect(await callRoute(routes, status.notice, {})).toBe('# News')
  expect(await callRoute(routes, status.about, {})).toBe('us')
  expect(await callRoute(routes, status.homePage, {})).toBe('https://home.example')
})
