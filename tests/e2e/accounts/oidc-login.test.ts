import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { withDatabase } from '../../support/console/people.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { freePort } from '../../support/network/free-port.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type OidcProvider, oidcClient, startOidcProvider } from '../../support/services/oidc-provider.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const ann = {
  sub: 'subject-of-ann',
  preferred_username: 'ann.lee',
  name: 'Ann Lee',
  email: 'ann@example.com',
  email_verified: true,
}
const ben = {
  sub: 'subject-of-ben',
  preferred_username: 'root',
  name: 'Ben',
  email: 'ben@example.com',
  email_verified: false,
}

const cleo = {
  sub: 'subject-of-cleo',
  preferred_username: 'cleo',
  name: 'Cleo',
  email: 'cleo@example.com',
  email_verified: false,
}

interface WireUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly oidc_id: string
  readonly quota: number
}

let gateway: Tollgate
let provider: OidcProvider
let root: Operator
let browser: Browser

async function visit(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(deadline(15_000))
  return { context, page }
}

/** Through the provider's own pages. */
async function logInThere(page: Page, person: { readonly sub: string }): Promise<void> {
  await page.goto(`${gateway.url}/api/oauth/oidc/start`)
  await page.getByPlaceholder('Enter any login').fill(person.sub)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** The user whom the page is logged in as, as the server knows them. */
async function whoIsIn(page: Page): Promise<WireUser> {
  const { data } = await page.evaluate(async () => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const reply = await fetch('/api/user/self', { headers: { 'New-Api-User': String(id) } })
    return await reply.json()
  })
  return data
}

describe.skipIf(!hasChromium())('a login through OpenID Connect in a browser', () => {
  beforeAll(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    provider = await startOidcProvider(`${url}/oauth/oidc`, [ann, ben, cleo])
    gateway = await startTollgate({ port })
    root = await operate(gateway.url)
    await root.option('ServerAddress', url)
    await root.option('oidc.well_known', provider.wellKnown)
    await root.option('oidc.client_id', oidcClient.id)
    await root.option('oidc.client_secret', oidcClient.secret)
    await root.option('oidc.enabled', 'true')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await provider?.stop()
  })

  it('opens an account with what the provider proves, and finds it again', async () => {
    const { context, page } = await visit()
    await logInThere(page, ann)
    await page.waitForURL('**/token')
    const user = await whoIsIn(page)
    expect(user).toMatchObject({
      username: 'ann.lee',
      display_name: 'Ann Lee',
      email: 'ann@example.com',
      oidc_id: 'subject-of-ann',
    })
    const cookies = await context.cookies()
    expect(cookies.filter(({ name }) => name.startsWith('oauth_'))).toEqual([])
    expect(cookies.find(({ name }) => name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await context.close()
    const again = await visit()
    await logInThere(again.page, ann)
    await again.page.waitForURL('**/token')
    expect((await whoIsIn(again.page)).id).toBe(user.id)
    await again.context.close()
  })

  it('asks the provider with state, nonce and PKCE, each new every time', () => {
    expect(provider.authorizations.length).toBeGreaterThan(1)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = provider.authorizations.map((parameters) => parameters.get(name) ?? '')
      expect(new Set(values).size).toBe(values.length)
      for (const value of values) expect(value.length).toBeGreaterThan(20)
    }
  })

  it('neither takes another user’s name nor stores an address that is not verified', async () => {
    const { context, page } = await visit()
    await logInThere(page, ben)
    await page.waitForURL('**/token')
    const user = await whoIsIn(page)
    expect(user.username).toMatch(/^root_\w{4}$/)
    expect(user.email).toBe('')
    await context.close()
  })

  it('names the fault of a response that is not this browser’s', async () => {
    const { context, page } = await visit()
    await page.goto(`${gateway.url}/oauth/oidc?code=stolen&state=${'A'.repeat(43)}`)
    await page.getByText('state is empty or not same').waitFor()
    await page.waitForURL('**/login')
    await context.close()
  })

  it('is said in the visitor’s language, and no other provider has such a page', async () => {
    const context = await browser.newContext({ locale: 'zh-CN' })
    const page = await context.newPage()
    await page.goto(`${gateway.url}/oauth/github?code=stolen&state=${'A'.repeat(43)}`)
    await page.getByText('请在此浏览器中重新登录').waitFor()
    await page.goto(`${gateway.url}/oauth/unknown`)
    await page.getByText('页面不存在').waitFor()
    await context.close()
  })

  it('proves the identity in a tab of its own, and the first page continues', async () => {
    const { context, page } = await visit()
    await logInThere(page, ann)
    await page.waitForURL('**/token')
    await expireRecentProofs(gateway)
    await page.goto(`${gateway.url}/personal`)
    const generate = async () => {
      await page.getByRole('button', { name: 'Generate token', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Generate token', exact: true }).click()
    }
    await generate()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Continue with OIDC' }).click()
    const tab = await opened
    await page.getByRole('dialog', { name: 'System access token' }).waitFor()
    await until(() => tab.isClosed() || undefined)
    await context.close()
  })

  it('binds the identity to a logged-in user, and one identity to one user', async () => {
    const { context, page } = await visit()
    await page.goto(`${gateway.url}/login`)
    await page.getByRole('textbox', { name: /username/i }).fill('root')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct-horse-battery')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/token')
    await logInThere(page, ann)
    await page.getByText('already bound').waitFor()
    await context.close()
  })

  /** Signs in in a browser of its own; whom that is. */
  async function signedIn(person: { readonly sub: string }): Promise<WireUser> {
    const { context, page } = await visit()
    await logInThere(page, person)
    await page.waitForURL('**/token')
    const user = await whoIsIn(page)
    await context.close()
    return user
  }

  it('finds accounts from before issuers were stored, and none of another provider', async () => {
    const before = await signedIn(ann)
    const issuers = () =>
      withDatabase(gateway.dataDir, (file) =>
        file.query(`select oidc_issuer from users where id = ${before.id}`).values(),
      )
    expect(issuers()).toEqual([[provider.issuer]])
    withDatabase(gateway.dataDir, (file) => {
      file.run('update users set oidc_issuer = ? where id = ?', [provider.wellKnown, before.id])
    })
    const other = await startOidcProvider(`${gateway.url}/oauth/oidc`, [ann])
    // The log-in is the recent proof that the option asks for.
    root = await operate(gateway.url)
    await root.option('oidc.well_known', other.wellKnown)
    const otherUser = await signedIn(ann)
    expect(otherUser.oidc_id).toBe(before.oidc_id)
    expect(otherUser.id).not.toBe(before.id)
    expect(issuers()).toEqual([[provider.wellKnown]])
    await root.option('oidc.well_known', provider.wellKnown)
    expect((await signedIn(ann)).id).toBe(before.id)
    expect(issuers()).toEqual([[provider.issuer]])
    await other.stop()
  })

  it('gives an identity that was unbound no second gift', async () => {
    await root.option('QuotaForNewUser', '500')
    const { context, page } = await visit()
    await logInThere(page, cleo)
    await page.waitForURL('**/token')
    const first = await whoIsIn(page)
    expect(first.quota).toBe(500)
    const freed = await page.evaluate(async (id) => {
      const send = async (method: string, path: string, body?: object) => {
        const headers = { 'New-Api-User': String(id), 'content-type': 'application/json' }
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
        return (await (await fetch(path, init)).json()).success
      }
      const password = 'a long password of her own'
      return [
        await send('PUT', '/api/user/self', { password }),
        await send('DELETE', '/api/user/self/binding/oidc'),
      ]
    }, first.id)
    expect(freed).toEqual([true, true])
    await context.close()
    const second = await signedIn(cleo)
    expect(second.id).not.toBe(first.id)
    expect(second.quota).toBe(0)
  })
})
