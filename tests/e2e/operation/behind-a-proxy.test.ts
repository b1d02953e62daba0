import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { connect } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import {
  canMakeCertificates,
  makeCertificate,
  type OwnCertificate,
} from '../../support/network/certificate.ts'
import {
  type ForwardingProxy,
  startForwardingProxy,
  visitorHeader,
} from '../../support/network/forwarding-proxy.ts'
import { hasNginx, type Nginx, startNginxSite } from '../../support/network/nginx.ts'
import { type Envelope, logIn, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type RealtimeUpstream, startRealtimeUpstream } from '../../support/upstream/realtime.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(30_000))

const account = { username: 'root', password: 'correct-horse-battery' }
const setupForm = { ...account, confirmPassword: account.password }
const tries = 4

let certificate: OwnCertificate
let gateway: Tollgate
let proxy: ForwardingProxy

/** A call by a visitor of the site, through the proxy. */
async function visit<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(proxy.url + path, {
    method,
    headers,
    tls: { rejectUnauthorized: false },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { response, envelope: (await response.json()) as Envelope<T> }
}

function codes(): string[] {
  return [...gateway.logs().matchAll(/^set-up code (\S+)/gm)].map(([, code = '']) => code)
}

/** A request of a proxy that only forwards. */
function askInHttp10(path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { host, hostname, port } = new URL(gateway.url)
  let text = ''
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${path} HTTP/1.0\r\nHost: ${host}\r\n\r\n`),
  )
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('end', () => resolve(text)).on('error', reject)
  return promise
}

describe.skipIf(!canMakeCertificates())('behind an undeclared proxy', () => {
  beforeAll(async () => {
    certificate = await makeCertificate('localhost')
    gateway = await startTollgate({ env: { CRITICAL_RATE_LIMIT: String(tries) } })
    proxy = startForwardingProxy(gateway.url, certificate)
  })
  afterAll(async () => {
    await proxy?.stop()
    await gateway?.stop()
    certificate?.remove()
  })

  it('asks visitors for the set-up code, and no one on its own machine', async () => {
    type Status = { readonly code_required: boolean }
    expect((await visit<Status>('GET', '/api/setup')).envelope.data.code_required).toBe(true)
    expect(await askInHttp10('/api/setup')).toContain('"code_required":true')
    const local = (await (await fetch(`${gateway.url}/api/setup`)).json()) as Envelope<Status>
    expect(local.data.code_required).toBe(false)
    expect((await visit('POST', '/api/setup', setupForm)).envelope.code).toBe('setup_code_wrong')
  })

  it('prints another code at each start, and takes the last one alone', async () => {
    await gateway.restart()
    const [first = '', second = ''] = codes()
    expect(second).toMatch(/^\w{4}-\w{4}-\w{4}$/)
    expect(second).not.toBe(first)
    const wrong = await visit('POST', '/api/setup', { ...setupForm, code: first })
    expect(wrong.envelope.code).toBe('setup_code_wrong')
  })

  describe.skipIf(!hasChromium())('in a browser', () => {
    let browser: Browser
    let page: Page

    beforeAll(async () => {
      browser = await launchChromium()
      const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' })
      page = await context.newPage()
      page.setDefaultTimeout(deadline(10_000))
    })
    afterAll(async () => {
      await browser?.close()
    })

    it('says where the code is, and what is wrong with one', async () => {
      await page.goto(`${proxy.url}/setup`)
      await page.getByText('The server prints it at each start').waitFor()
      await page.getByRole('textbox', { name: 'Administrator username' }).fill(account.username)
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password)
      await page.getByRole('textbox', { name: 'Confirm password' }).fill(account.password)
      const submit = page.getByRole('button', { name: 'Set up the system' })
      await submit.click()
      await page.getByText('Enter the set-up code').waitFor()
      await page.getByRole('textbox', { name: 'Set-up code' }).fill('0000-0000-0000')
      await submit.click()
      await page.getByText('The set-up code is wrong').waitFor()
      await page.getByRole('textbox', { name: 'Set-up code' }).fill(codes().at(-1)?.toLowerCase() ?? '')
      await submit.click()
      await page.waitForURL(`${proxy.url}/detail`)
    })

    it('tells root of the proxy, with the setting to make', async () => {
      await page.goto(`${proxy.url}/detail`)
      await page.getByText('The proxy in front of the gateway is not trusted').waitFor()
      await page.getByText('TRUSTED_PROXIES=127.0.0.1', { exact: true }).waitFor()
    })

    it('stores the session in a cookie of the host that is never sent over http', async () => {
      const root = await logIn(gateway.url, account)
      await root.option('ServerAddress', proxy.url)
      await page.goto(`${proxy.url}/token`)
      await page.waitForURL('**/login?**')
      await page.getByRole('textbox', { name: /username/i }).fill(account.username)
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password)
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/user/login') && response.ok()),
        page.keyboard.press('Enter'),
      ])
      await page.waitForURL('**/token')
      const retained = (await page.context().cookies(proxy.url)).filter(({ name }) =>
        name.endsWith('session'),
      )
      expect(retained).toMatchObject([{ name: '__Host-session', secure: true, httpOnly: true, path: '/' }])
    })
  })

  it('warns of the proxy once, with the setting to make', () => {
    expect(gateway.logs().split('forwards requests, but is not trusted')).toHaveLength(1 + 2)
    expect(gateway.logs()).toContain('set TRUSTED_PROXIES=127.0.0.1')
  })

  it('locks only the visitor out who guesses', async () => {
    const logInFrom = async (visitor: string, who: object) =>
      (await visit('POST', '/api/user/login', who, { [visitorHeader]: visitor })).response.status
    const guesses = []
    for (let turn = 0; turn <= tries; turn += 1)
      guesses.push(await logInFrom('203.0.113.66', { username: `guess ${turn}`, password: 'wrong horse' }))
    expect(guesses).toEqual([...Array(tries).fill(200), 429])
    const { envelope } = await visit<{ id: number }>('POST', '/api/user/login', account, {
      [visitorHeader]: '203.0.113.7',
    })
    expect(envelope).toMatchObject({ success: true })
  })

  it('identifies its visitors, and shows no warning, once the proxy is declared', async () => {
    await gateway.kill()
    const reported = await startTollgate({
      dataDir: gateway.dataDir,
      port: Number(new URL(gateway.url).port),
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    })
    try {
      const { response, envelope } = await visit<{ id: number }>('POST', '/api/user/login', account, {
        [visitorHeader]: '203.0.113.7',
      })
      const headers = {
        cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
        'new-api-user': String(envelope.data.id),
      }
      type Overview = { readonly untrusted_proxy: string }
      const overview = await visit<Overview>('GET', '/api/user/self/overview', undefined, headers)
      expect(overview.envelope.data.untrusted_proxy).toBe('')
      const sessions = await visit('GET', '/api/user/self/sessions', undefined, headers)
      expect(JSON.stringify(sessions.envelope.data)).toContain('203.0.113.7')
      expect(reported.logs()).not.toContain('is not trusted')
      expect(reported.logs()).not.toContain('set-up code')
    } finally {
      await reported.kill()
    }
  })
})

describe('an unattended start', () => {
  it('has an administrator of the password that it was given, who stays as they are', async () => {
    const first = await startTollgate({ env: { TOLLGATE_ROOT_PASSWORD: account.password } })
    try {
      expect(await logIn(first.url, account)).toMatchObject({ userId: 1 })
      expect(first.logs()).not.toContain(account.password)
      expect(first.logs()).not.toContain('set-up code')
      await first.kill()
      const again = await startTollgate({
        dataDir: first.dataDir,
        env: { TOLLGATE_ROOT_PASSWORD: 'another-horse-battery' },
      })
      try {
        const other = { ...account, password: 'another-horse-battery' }
        expect(logIn(again.url, other)).rejects.toThrow('Wrong username or password')
        await logIn(again.url, account)
      } finally {
        await again.kill()
      }
    } finally {
      await first.stop()
    }
  })
})

describe.skipIf(!canMakeCertificates() || !hasNginx())('behind nginx with the settings of the guide', () => {
  let site: Nginx
  let own: OwnCertificate
  let served: Tollgate
  let upstream: Upstream
  let talker: RealtimeUpstream
  let key: string

  beforeAll(async () => {
    own = await makeCertificate('localhost')
    served = await startTollgate({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    site = await startNginxSite(served, own)
    upstream = await startUpstream()
    talker = await startRealtimeUpstream({ reply: (event, send) => send({ type: `heard ${event['type']}` }) })
    const operator = await operate(served.url)
    await operator.addChannel({ name: 'chat', base_url: upstream.url, models: 'gpt-4o' })
    await operator.addChannel({ name: 'voice', base_url: talker.url, models: 'gpt-realtime' })
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    await site?.stop()
    await served?.stop()
    await upstream?.stop()
    await talker?.stop()
    own?.remove()
  })

  it('a realtime session is a WebSocket, and no 426', async () => {
    const options = { headers: { authorization: `Bearer ${key}` }, tls: { rejectUnauthorized: false } }
    const url = `${site.url.replace('https', 'wss')}/v1/realtime?model=gpt-realtime`
    // The types of browsers, which hold here, know no headers.
    const socket = new WebSocket(url, options as unknown as string[])
    const heard = Promise.withResolvers<string>()
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello' }))
    socket.onmessage = ({ data }) => String(data).includes('heard') && heard.resolve(String(data))
    socket.onclose = ({ code, reason }) => heard.reject(new Error(`closed with ${code} ${reason}`))
    expect(JSON.parse(await heard.promise)).toEqual({ type: 'heard hello' })
    socket.close(1000)
  })

  it('a body of megabytes passes, and the gateway knows its caller and that it came by https', async () => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.9' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }] }),
      tls: { rejectUnauthorized: false },
    })
    expect(response.status).toBe(200)
    const login = await fetch(`${site.url}/api/user/login`, {
      method: 'POST',
      body: JSON.stringify(rootAccount),
      tls: { rejectUnauthorized: false },
    })
    expect(login.headers.get('set-cookie')).toContain('Secure')
    // What a caller claims is behind what nginx appends.
    const events = await (await operate(served.url)).api<{ items: { address: string }[] }>(
      'GET',
      '/api/security_event/?p=1&page_size=5',
    )
    expect(events.items.map(({ address }) => address)).not.toContain('198.51.100.9')
  })
})
