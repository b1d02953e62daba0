import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser, userPassword } from '../../support/add-user.ts'
import { brokenRules, deskAndPhone, loggedIn, openConsole, openWithin } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { withinClicks } from '../../support/console/clicks.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const account = { username: 'root', password: 'correct-horse-battery' }
const desk = { width: 1440, height: 900 }

interface WireUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly group: string
  readonly role: number
  readonly status: number
  readonly quota: number
  readonly DeletedAt: string | null
}

let gateway: Tollgate
let operator: Operator
let browser: Browser
let page: Page
let ann: number
let ben: Operator
/** User whom no test bans. */
let fay: Operator
/** Errors in the pages' console. */
let complaints: readonly string[]

const stored = (id: number) => operator.api<WireUser>('GET', `/api/user/${id}`)
const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })

/** Waits until the server knows a user by these facts. */
async function becomes(id: number, facts: Partial<WireUser>): Promise<void> {
  await until(async () => {
    const user = await stored(id)
    return Object.entries(facts).every(([name, value]) => user[name as keyof WireUser] === value) || undefined
  }, 5000)
}

/** Opens the menu of a row and chooses an act. */
async function choose(name: string, action: string): Promise<void> {
  await row(name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

const confirm = (verb: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: verb, exact: true }).click()

describe.skipIf(!hasChromium())('users and the audit log in a browser', () => {
  beforeAll(async () => {
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    operator = await operate(gateway.url)
    await operator.option('GroupRatio', JSON.stringify({ default: 1, vip: 0.5 }))
    ann = (await addUser(gateway, 'ann', 5_000_000)).userId
    ben = await addUser(gateway, 'ben', 0)
    fay = await addUser(gateway, 'fay', 500_000)
    for (const name of ['cem', 'dora']) await addUser(gateway, name, 0)
    ;({ browser, page, complaints } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  it('adds a user, after saying what is missing', async () => {
    await openWithin(page, '/user')
    await page.getByRole('link', { name: 'Add user' }).click()
    await page.waitForURL('**/user/add')
    const sheet = page.getByRole('dialog', { name: 'Add user' })
    await sheet.getByRole('button', { name: 'Add user' }).click()
    await sheet.getByText('Username and password cannot be empty').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await sheet.getByRole('textbox', { name: 'Username' }).fill('ann')
    await sheet.getByRole('textbox', { name: 'Password', exact: true }).fill('a-long-password')
    await sheet.getByRole('button', { name: 'Add user' }).click()
    await sheet.getByText(/already taken/).waitFor()
    await sheet.getByRole('textbox', { name: 'Username' }).fill('emil')
    await sheet.getByRole('textbox', { name: 'Display name' }).fill('Emil E.')
    await sheet.getByRole('button', { name: 'Add user' }).click()
    await row('emil').waitFor()
    const { items } = await operator.api<{ items: WireUser[] }>('GET', '/api/user/search?keyword=emil')
    expect(items).toMatchObject([{ username: 'emil', display_name: 'Emil E.', role: 1, group: 'default' }])
  })

  it('adds $25 by one press, takes it back by another, and another amount with a look at what it makes of the balance', async () => {
    await row('ann').click()
    await page.waitForURL(`**/user/edit/${ann}`)
    const balance = page.getByRole('region', { name: 'Balance' })
    await balance.getByText('$10.00').waitFor()
    await balance.getByRole('button', { name: 'Add $25' }).click()
    await page.getByText('Add $25.00 applied to ann').waitFor()
    await balance.getByText('$35.00').waitFor()
    await becomes(ann, { quota: 17_500_000 })
    await balance.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Deduct $25.00 applied to ann').waitFor()
    await becomes(ann, { quota: 5_000_000 })
    expect(await balance.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    // What is typed elsewhere in the sheet is not sent with it, and stays.
    const amount = balance.getByRole('textbox', { name: 'Amount to add ($)' })
    await page.getByRole('textbox', { name: 'Display name' }).fill('Ann A.')
    await balance.getByRole('button', { name: 'Other amount' }).click()
    expect(await balance.textContent()).toContain('$10.00→$35.00')
    expect(await brokenRules(page)).toEqual([])
    await amount.fill('0')
    await amount.press('Enter')
    await balance.getByText('Enter a number').waitFor()
    await amount.fill('2.5')
    await balance.getByRole('button', { name: 'Add $2.50' }).waitFor()
    await amount.fill('-2.5')
    await balance.getByRole('button', { name: 'Deduct $2.50' }).waitFor()
    await amount.press('Enter')
    await balance.getByText('$7.50').waitFor()
    await becomes(ann, { quota: 3_750_000, display_name: 'ann' })
    expect(await page.getByRole('textbox', { name: 'Display name' }).inputValue()).toBe('Ann A.')
  })

  it('edits a user', async () => {
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    await sheet.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'vip' }).click()
    await sheet.getByText('Not bound').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await sheet.getByRole('button', { name: /^Save/ }).click()
    await page.waitForURL('**/user')
    await becomes(ann, { display_name: 'Ann A.', group: 'vip', quota: 3_750_000 })
  })

  it('says what a balance below zero means', async () => {
    await operator.api('PUT', '/api/user/', { id: ann, quota_change: -10_000_000 })
    await openWithin(page, `/user/edit/${ann}`)
    await page.getByText('Calls are refused until the balance is above zero.').waitFor()
    expect(await brokenRules(page, [[390, 'dark']])).toEqual([])
    await operator.api('PUT', '/api/user/', { id: ann, quota_change: 10_000_000 })
    await openWithin(page, '/user')
  })

  it('disables, enables, promotes and demotes', async () => {
    await page.getByRole('button', { name: 'Disable ann' }).click()
    await becomes(ann, { status: 2 })
    await row('ann').getByText('Banned').waitFor()
    await page.getByRole('button', { name: 'Enable ann' }).click()
    await becomes(ann, { status: 1 })
    await choose('ann', 'Promote to administrator')
    await confirm('Promote')
    await becomes(ann, { role: 10 })
    await row('ann').getByText('Administrator').waitFor()
    await choose('ann', 'Demote to user')
    await confirm('Demote')
    await becomes(ann, { role: 1 })
  })

  it('resets a second factor', async () => {
    const { secret } = await ben.api<{ secret: string }>('POST', '/api/user/self/2fa/begin')
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await ben.api('POST', '/api/user/self/2fa/confirm', { code })
    await choose('ben', 'Reset second factor')
    await confirm('Reset second factor')
    await page.getByText('Second factor of ben reset').waitFor()
    expect(await ben.api('GET', '/api/user/self/2fa')).toMatchObject({ enabled: false })
  })

  it('deregisters, and leaves nothing to be done with who is gone', async () => {
    await choose('emil', 'Deregister')
    await page.getByRole('alertdialog').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.goto(`${gateway.url}/user`)
    await choose('emil', 'Deregister')
    await confirm('Deregister')
    await row('emil').getByText('Deregistered').waitFor()
    expect(await row('emil').getByRole('button').count()).toBe(0)
    await openWithin(page, '/user?status=deleted')
    await row('emil').waitFor()
    expect(await row('ann').count()).toBe(0)
  })

  it('offers nothing forbidden on one’s own row', async () => {
    await openWithin(page, '/user?keyword=root')
    await row('root').waitFor()
    expect(await page.getByRole('button', { name: 'Disable root' }).count()).toBe(0)
    await row('root').getByRole('button', { name: 'More actions for root' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Deregister|Demote|Reset/ }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    await sheet.getByRole('textbox', { name: 'Username' }).waitFor()
    expect(await sheet.getByRole('button', { name: 'Add $25' }).count()).toBe(0)
  })

  it('does the same to many by one call, and tells of each it was refused for', async () => {
    await openWithin(page, '/user?sort=-id')
    for (const name of ['ben', 'cem', 'root']) await row(name).getByRole('checkbox').click()
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/user/manage/batch'))
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    expect((await sent).postDataJSON()).toMatchObject({ action: 'disable' })
    const report = page.getByRole('dialog', { name: '1 user could not be disabled' })
    await report.getByText('root', { exact: true }).waitFor()
    await report.getByRole('button', { name: 'Close' }).last().click()
    await row('ben').getByText('Banned').waitFor()
    expect(await row('dora').getByText('Active').count()).toBe(1)
  })

  it('narrows and sorts by the address', async () => {
    await openWithin(page, '/user?group=vip&role=1&sort=-quota')
    await row('ann').waitFor()
    expect(await row('dora').count()).toBe(0)
    await openWithin(page, '/user')
    await page.getByPlaceholder('ID, username, name or email').fill('dor')
    await page.waitForURL('**/user?keyword=dor')
    await until(async () => ((await row('ann').count()) === 0 ? true : undefined), 5000)
    expect(await brokenRules(page)).toEqual([])
  })

  it('tells in the audit log what was changed, by whom', async () => {
    await openWithin(page, `/audit?kind=user&target=${ann}&action=user.update&actor=root`)
    const edit = page.getByRole('row', { name: /User edited/ }).filter({ hasText: 'Display name' })
    await edit.waitFor()
    expect(await page.getByRole('row', { name: /User promoted/ }).count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await edit.click()
    const sheet = page.getByRole('dialog', { name: 'User edited' })
    await sheet.getByText('Ann A.').waitFor()
    const text = (await sheet.textContent()) ?? ''
    expect(text).toContain('Before:default')
    expect(text).toContain('After:vip')
    // The money went by itself, with a record of its own.
    const path = `/api/audit_log/?p=1&page_size=20&action=user.update&target_kind=user&target_id=${ann}`
    const { items } = await operator.api<{ items: { after: string }[] }>('GET', path)
    expect(items.map(({ after }) => JSON.parse(after).quota)).toContain(17_500_000)
    expect(await brokenRules(page)).toEqual([])
  })

  it('opens a record by its link wherever it stands, with its values in words', async () => {
    const { items } = await operator.api<{ items: { id: number }[] }>(
      'GET',
      '/api/audit_log/?action=user.promote',
    )
    await openWithin(page, `/audit?to=1&record=${items[0]?.id}`)
    const sheet = page.getByRole('dialog', { name: 'User promoted' })
    await sheet.getByText('Administrator', { exact: true }).last().waitFor()
    expect(await sheet.textContent()).toContain('After:Administrator')
    expect(await brokenRules(page)).toEqual([])
    await openWithin(page, '/audit?record=999999')
    await page.getByText('Record not found').waitFor()
  })

  it('names a user’s inviter', async () => {
    const code = await operator.api<string>('GET', '/api/user/aff')
    const registered = await fetch(`${gateway.url}/api/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'guest',
        password: 'a-long-password',
        password2: 'a-long-password',
        aff_code: code,
      }),
    })
    expect(await registered.json()).toMatchObject({ success: true })
    await openWithin(page, '/user?keyword=guest')
    await row('guest').click()
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    const inviter = sheet.getByRole('link', { name: account.username, exact: true })
    expect(await inviter.getAttribute('href')).toContain(`/user/edit/${operator.userId}`)
  })

  it('fits people on a phone in cards of two lines, and remembers the size of a page', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/user', '/audit']) {
      await openWithin(page, path)
      const cards = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: /root|ann|emil/ })
      await cards.first().waitFor()
      const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
      expect([path, Math.max(...heights) <= 120]).toEqual([path, true])
    }
    await page.setViewportSize(desk)
    await page.goto(`${gateway.url}/user`)
    await page.getByRole('combobox', { name: /per page/i }).selectOption('20')
    expect(await page.evaluate(() => localStorage.getItem('page-size'))).toBe('20')
  })

  it('narrows the audit log by action and time', async () => {
    await openWithin(page, '/audit')
    await page.getByRole('button', { name: 'Action', exact: true }).click()
    await page.getByRole('button', { name: 'User promoted' }).click()
    await page.waitForURL('**/audit?action=user.promote')
    await page.getByRole('row', { name: /User promoted/ }).waitFor()
    await page.getByRole('button', { name: 'Time: Any time' }).click()
    await page.getByRole('radio', { name: 'Last 7 days' }).click()
    await page.waitForURL('**/audit?action=user.promote&range=7d')
    await page.getByRole('row', { name: /User promoted/ }).waitFor()
    await openWithin(page, '/audit?to=1')
    await page.getByText('No results').waitFor()
  })

  it('denies both pages to common users', async () => {
    const storageState = await loggedIn(gateway.url, { username: 'dora', password: 'a-long-password' })
    const context = await browser.newContext({ locale: 'en-US', storageState })
    const dora = await context.newPage()
    await dora.goto(`${gateway.url}/user`)
    await dora.getByText('You don’t have access').waitFor()
    await dora.goto(`${gateway.url}/audit`)
    await dora.getByText('You don’t have access').waitFor()
    await context.close()
  })

  it('gives an administrator parts, whose pages and actions then are those of the parts', async () => {
    const adam = await addAdministrator(gateway, 'adam')
    await openWithin(page, '/user?keyword=adam')
    await row('adam').click()
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    const part = (name: string) => sheet.getByRole('checkbox', { name: new RegExp(`^${name}`) })
    await part('Users').waitFor()
    expect(await part('Delete entries of the usage log').isChecked()).toBe(false)
    for (const name of ['Channels', 'Prices', 'Balances', 'Usage log', 'Settings']) await part(name).uncheck()
    await sheet.getByRole('button', { name: 'Save parts' }).click()
    await page.getByText('Parts of adam saved').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const context = await browser.newContext({
      locale: 'en-US',
      storageState: await loggedIn(gateway.url, adam),
    })
    const his = await context.newPage()
    await his.goto(`${gateway.url}/user?keyword=dora`)
    await his.getByRole('row', { name: /dora/ }).click()
    await his.getByRole('dialog', { name: 'Edit user' }).getByText('Display name').waitFor()
    expect(await his.getByRole('button', { name: 'Add $25' }).count()).toBe(0)
    const menu = his.getByRole('navigation').first()
    expect(await menu.getByRole('link', { name: 'Channels' }).count()).toBe(0)
    for (const path of ['/channel', '/models', '/redemption', '/orders', '/spend', '/route', '/setting']) {
      await his.goto(gateway.url + path)
      await his.getByText('Your administrator account does not include this page').waitFor()
    }
    await his.goto(`${gateway.url}/detail`)
    await his.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await context.close()
  })

  it('takes everything about a user along in one file, and merges two accounts', async () => {
    await openWithin(page, '/user?keyword=dora')
    const download = page.waitForEvent('download')
    await choose('dora', 'Export data')
    expect((await download).suggestedFilename()).toMatch(/^user-\d+\.json$/)
    const double = await addUser(gateway, 'dora-again', 500_000)
    await row('dora').first().click()
    const sheet = page.getByRole('dialog', { name: 'Edit user' })
    await sheet.getByRole('textbox', { name: 'Number of the other account' }).fill(String(double.userId))
    await sheet.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('alertdialog', { name: 'Merge dora-again into dora' }).waitFor()
    await confirm('Merge')
    await page.getByText('The account is part of dora now').waitFor()
    expect((await double.call('GET', '/api/user/self')).success).toBe(false)
  })

  it('changes the balance of many as its preview says, and takes it back by one undo', async () => {
    await operator.api('POST', '/api/user/', { username: 'low', password: 'a-long-password', quota: 0 })
    await operator.api('POST', '/api/user/', { username: 'lot', password: 'a-long-password', quota: 500_000 })
    const balances = async () => {
      const { items } = await operator.api<{ items: WireUser[] }>(
        'GET',
        '/api/user/search?keyword=lo&page_size=50',
      )
      const figures = items.filter(({ username }) => /^lo[wt]$/.test(username)).map(({ quota }) => quota)
      return figures.toSorted((a, b) => a - b)
    }
    await openWithin(page, '/user?keyword=lo&status=active')
    await row('lot').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Change…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /Amount per user/ }).fill('-1')
    await dialog.getByText('would fall below zero: low', { exact: false }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('textbox', { name: /Amount per user/ }).fill('10')
    await dialog.getByRole('button', { name: /^Add \$10.00: \d users$/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await balances()).toEqual([5_000_000, 5_500_000])
    await openWithin(page, '/audit?action=user.update-many')
    await page.getByRole('row', { name: /Users changed together/ }).click()
    await page.getByRole('button', { name: 'Revert' }).click()
    const question = page.getByRole('dialog', { name: 'Check this change' })
    await question.getByText('2 users: the balance of each changes by', { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Change it all the same' }).click()
    await until(async () => (await balances()).join() === '0,500000' || undefined, 5000)
  })

  it('has a page of groups: one is added, limited, renamed and removed', async () => {
    await openWithin(page, '/detail')
    await page.getByRole('link', { name: 'Groups', exact: true }).click()
    await page.getByRole('button', { name: 'Add group' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: 'Name' }).fill('night')
    await sheet.getByRole('textbox', { name: 'Price ratio' }).fill('0.5')
    await sheet.getByRole('button', { name: 'Add group' }).click()
    await row('night').waitFor()
    await page.goto(`${gateway.url}/detail`)
    await withinClicks(3, async (click) => {
      await click(page.getByRole('link', { name: 'Groups', exact: true }))
      await click(row('night'))
      await sheet.getByRole('textbox', { name: 'Concurrent calls' }).fill('3')
      expect(await brokenRules(page)).toEqual([])
      await click(sheet.getByRole('button', { name: 'Save group' }))
      await row('night').getByText('3 at once').waitFor()
    })
    await row('night').click()
    await sheet.getByRole('button', { name: 'Rename' }).click()
    await page
      .getByRole('dialog', { name: /Rename group/ })
      .getByRole('textbox')
      .fill('late')
    await page.getByRole('button', { name: 'Rename group' }).click()
    await sheet.getByText('late', { exact: true }).waitFor()
    await page.goto(`${gateway.url}/group?group=late`)
    await sheet.getByRole('button', { name: 'Remove group' }).click()
    await confirm('Remove group')
    await row('late').waitFor({ state: 'detached' })
    expect(await brokenRules(page)).toEqual([])
  })

  it('invites a colleague by a link that opens one account, and takes another link back', async () => {
    await operator.option('RegisterEnabled', 'false')
    await openWithin(page, '/user')
    const sheet = page.getByRole('dialog')
    const invite = async (note: string) => {
      await withinClicks(2, async (click) => {
        await click(page.getByRole('button', { name: 'Invite', exact: true }))
        await sheet.getByRole('textbox', { name: 'Note' }).fill(note)
        await click(sheet.getByRole('button', { name: 'Create link' }))
      })
      return (await sheet.getByText('/invitation?token=').textContent()) ?? ''
    }
    const link = await invite('for Gil')
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await invite('for nobody')
    await sheet.getByRole('button', { name: 'Revoke for nobody' }).click()
    await sheet.getByText('for nobody').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    const guest = await (await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' })).newPage()
    await guest.goto(link)
    await guest.getByText('root invites you.', { exact: false }).waitFor()
    await guest.getByRole('textbox', { name: 'Username' }).fill('gil')
    await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('a-long-password')
    await guest.getByRole('textbox', { name: 'Confirm password' }).fill('a-long-password')
    expect(await brokenRules(guest)).toEqual([])
    await guest.getByRole('button', { name: 'Open account' }).click()
    await guest.waitForURL('**/token')
    await guest.context().close()
    await operator.option('RegisterEnabled', 'true')
  })

  it('finds a leaked key by its text and freezes it in two clicks, and gives it back', async () => {
    const { id, key } = await fay.addKey({ name: 'leaked' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const works = async () =>
      (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await works()).toBe(200)
    await openWithin(page, '/user')
    await row('fay').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill(key)
    await withinClicks(2, async (click) => {
      await click(page.getByRole('option', { name: /Freeze key/ }))
      await click(page.getByRole('alertdialog').getByRole('button', { name: 'Freeze key', exact: true }))
      await page.getByText('Key “leaked” of fay is frozen').waitFor()
    })
    await until(async () => (await works()) === 401 || undefined, 5000)
    await openWithin(page, `/user/key/${id}`)
    const sheet = page.getByRole('dialog', { name: 'API key' })
    await sheet.getByText('Frozen by an administrator').waitFor()
    await sheet.getByText('127.0.0.1').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await sheet.getByRole('button', { name: 'Unfreeze key' }).click()
    await page.getByText('Key “leaked” of fay works again').waitFor()
    await until(async () => (await works()) === 200 || undefined, 5000)
    // A complete key in a search opens it, and is in no address.
    await openWithin(page, '/user')
    await page.getByRole('searchbox').fill(key)
    await page.waitForURL(`**/user/key/${id}`)
    expect(asked.filter((url) => url.includes(key.slice(3)))).toEqual([])
  })

  it('shows the console as a user sees it, until it is ended, and other tabs stay as they are', async () => {
    await page.goto(`${gateway.url}/user`)
    await choose('fay', 'See as this user')
    await page.getByText('You see the console as fay sees it.').waitFor()
    await row('leaked').waitFor()
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    const other = await page.context().newPage()
    await other.goto(`${gateway.url}/user`)
    await other.getByRole('row', { name: /fay/ }).waitFor()
    await other.close()
    await page.goto(`${gateway.url}/topup`)
    await page.getByText('You see the console as fay sees it.').waitFor()
    await page.getByRole('button', { name: 'End view' }).click()
    await page.waitForURL(`${gateway.url}/user`)
    await row('fay').waitFor()
    const { items } = await fay.api<{ items: { kind: string; detail: string }[] }>(
      'GET',
      '/api/user/self/security_events?p=1&page_size=20',
    )
    expect(items).toContainEqual(expect.objectContaining({ kind: 'viewed', detail: 'root' }))
  })

  it('lets users find and rotate keys of their own, and ends what was replaced', async () => {
    const { browser: his, page: own } = await openConsole(gateway.url, {
      as: { username: 'fay', password: userPassword },
    })
    const { key } = await fay.addKey({ name: 'rotated' })
    await own.getByRole('main').waitFor()
    await own.keyboard.press('Control+k')
    await own.getByRole('combobox', { name: 'Command palette' }).fill(key)
    await own.getByRole('option', { name: /rotated/ }).click()
    const sheet = own.getByRole('dialog', { name: 'Edit key' })
    await sheet.getByRole('button', { name: 'Rotate key' }).click()
    await own.getByRole('dialog', { name: 'The new key of “rotated”' }).waitFor()
    await own.keyboard.press('Escape')
    await sheet.getByText(/works until/).waitFor()
    await sheet.getByRole('button', { name: 'End old keys now' }).click()
    await own.getByRole('alertdialog').getByRole('button', { name: 'End old keys now' }).click()
    await own.getByText('Old keys ended').waitFor()
    const refused = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(refused.status).toBe(401)
    await his.close()
  })

  it('shows the node that serves the console', async () => {
    await openWithin(page, '/nodes')
    const node = page.getByRole('row').filter({ hasText: new URL(gateway.url).port })
    await node.getByText('Live').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('leads from a user to the security events of the account, which a file takes along', async () => {
    await openWithin(page, '/user')
    await choose('dora', 'Show security events')
    await page.waitForURL(`${gateway.url}/security?user=dora`)
    const events = page.locator('tbody').getByRole('row')
    await events.filter({ hasText: 'dora' }).first().waitFor()
    // The rows of everybody stay until those of the account have come.
    await until(async () => (await events.filter({ hasText: 'root' }).count()) === 0 || undefined)
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^tollgate-security-events-until-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await Bun.file((await download.path()) ?? '').text()).trim().split('\r\n')
    expect(lines).toHaveLength((await events.count()) + 1)
    expect(lines[1]).toContain(',dora,')
  })

  it('adds $10 to twenty users within six clicks of the first page', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `batch${index}`)
    await Promise.all(
      names.map((username) => operator.api('POST', '/api/user/', { username, password: 'a-long-password' })),
    )
    await openWithin(page, '/detail')
    await withinClicks(6, async (click) => {
      await click(page.getByRole('link', { name: 'Users', exact: true }))
      await page.getByRole('searchbox').fill('batch')
      await page.waitForURL(/keyword=batch/)
      await row('batch19').waitFor()
      await click(page.getByRole('checkbox', { name: 'Select all rows on this page' }))
      await click(page.getByRole('button', { name: 'Change…' }))
      const dialog = page.getByRole('dialog')
      const all = dialog.getByRole('checkbox', { name: /^All 20 users/ })
      if (await all.isVisible()) await click(all)
      await dialog.getByRole('textbox', { name: /Amount per user/ }).fill('10')
      await click(dialog.getByRole('button', { name: 'Add $10.00: 20 users' }))
      await page.getByText('20 users changed').waitFor()
    })
  })

  it('passes root on, and shows what is left', async () => {
    await openWithin(page, '/user?keyword=adam')
    await choose('adam', 'Make root administrator')
    await confirm('Pass root on')
    await page.getByText('adam is the root administrator').waitFor()
    await until(
      async () => ((await page.getByRole('link', { name: 'Nodes' }).count()) === 0 ? true : undefined),
      5000,
    )
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
