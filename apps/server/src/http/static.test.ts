import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptsGzip, createStaticFiles } from './static.ts'

const script = `console.log(${JSON.stringify('x'.repeat(4000))})`
let root: string
let serve: (request: Request) => Promise<Response>

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'static-'))
  const dist = join(root, 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(dist, 'logo.png'), new Uint8Array(2000))
  writeFileSync(join(dist, 'assets', 'app-1a2b3c.js'), script)
  writeFileSync(join(root, 'secret.txt'), 'outside')
  serve = createStaticFiles(dist)
})
afterAll(() => rmSync(root, { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}) =>
  serve(new Request(`http://gate.test${path}`, { headers }))

describe('static files', () => {
  it.each(['/', '/token', '/channel/edit/5', '/%E0%A4%A', '/index.html'])(
    'answers %s with the page',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('content-type')).toStartWith('text/html')
      expect(await response.text()).toContain('<title>console</title>')
    },
  )

  it('lets a browser keep a hashed asset for ever and compresses it', async () => {
    const response = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, br' })
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    const text = new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await response.arrayBuffer())))
    expect(text).toBe(script)
    expect(await (await get('/assets/app-1a2b3c.js')).text()).toBe(script)
  })

  it('sends what the build has compressed, and does not serve that by its own name', async () => {
    const path = join(root, 'dist', 'assets', 'kit-4d5e6f.js')
    writeFileSync(path, script)
    writeFileSync(`${path}.gz`, Bun.gzipSync('compressed by the build'))
    const serveBuilt = createStaticFiles(join(root, 'dist'))
    const ask = (name: string) =>
      serveBuilt(new Request(`http://gate.test/assets/${name}`, { headers: { 'accept-encoding': 'gzip' } }))
    const sent = new Uint8Array(await (await ask('kit-4d5e6f.js')).arrayBuffer())
    expect(new TextDecoder().decode(Bun.gunzipSync(sent))).toBe('compressed by the build')
    expect((await ask('kit-4d5e6f.js.gz')).status).toBe(404)
  })

  it('does not compress pictures', async () => {
    const response = await get('/logo.png', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('content-type')).toBe('image/png')
  })

  it('returns 304 to a browser that holds the file, per encoding', async () => {
    const etag = (await get('/assets/app-1a2b3c.js')).headers.get('etag') as string
    const gzipTag = (await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip' })).headers.get(
      'etag',
    ) as string
    expect(etag).not.toBe(gzipTag)
    const notModified = await get('/assets/app-1a2b3c.js', { 'if-none-match': `"other", W/${etag}` })
    expect(notModified.status).toBe(304)
    expect((await get('/assets/app-1a2b3c.js', { 'if-none-match': gzipTag })).status).toBe(200)
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '//secret.txt',
  ])('never leaves its directory: %s', async (path) => {
    expect(await (await get(path)).text()).not.toContain('outside')
  })

  it('returns 404 for an asset of an older build, and for other methods', async () => {
    expect((await get('/assets/app-0000.js')).status).toBe(404)
    const posted = await serve(new Request('http://gate.test/token', { method: 'POST' }))
    expect(posted.status).toBe(404)
    expect(await posted.json()).toMatchObject({ error: { message: 'Invalid URL (POST /token)' } })
  })

  it('runs the script that was built into the page, and no other in it', async () => {
    const dist = join(root, 'scripted')
    mkdirSync(dist)
    writeFileSync(
      join(dist, 'index.html'),
      '<script>early()</script><script type="module" src="/a.js"></script>',
    )
    const response = await createStaticFiles(dist)(new Request('http://gate.test/login'))
    const hash = new Bun.CryptoHasher('sha256').update('early()').digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(
      `script-src 'self' 'sha256-${hash}' https://challenges.cloudflare.com/turnstile/v0/;`,
    )
  })

  it('runs no inline script and cannot be framed', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect((await get('/')).headers.get('x-content-type-options')).toBe('nosniff')
  })

  it("lets Cloudflare's script in where visitors may be asked to show that they are a person, and nowhere else", async () => {
    const scripts = async (path: string) =>
      /script-src ([^;]*)/.exec((await get(path)).headers.get('content-security-policy') ?? '')?.[1]
    for (const path of ['/login', '/register', '/reset', '/personal'])
      expect(await scripts(path)).toBe("'self' https://challenges.cloudflare.com/turnstile/v0/")
    for (const path of ['/', '/token', '/login/', '/user/reset']) expect(await scripts(path)).toBe("'self'")
  })

  it('says in one line that the console is not built, and finds it when it is', async () => {
    const late = join(root, 'late')
    const serveLate = createStaticFiles(late)
    const before = await serveLate(new Request('http://gate.test/'))
    expect(before.status).toBe(503)
    expect((await before.text()).trim().split('\n')).toHaveLength(1)
    mkdirSync(late)
    writeFileSync(join(late, 'index.html'), 'built')
    expect(await (await serveLate(new Request('http://gate.test/'))).text()).toBe('built')
  })
})

it.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['deflate,gzip;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['br', false],
  ['x-gzip-not', false],
  ['', false],
])('reads Accept-Encoding %p as %p', (value, expected) => {
  expect(acceptsGzip(new Headers({ 'accept-encoding': value }))).toBe(expected)
})

it('takes a missing header as no', () => {
  expect(acceptsGzip(new Headers())).toBe(false)
})
