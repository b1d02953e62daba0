import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { hasChromium } from '../../support/chromium.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { type Operator, rootAccount } from '../../support/operator.ts'
import { type SettingsPage, startSettingsPage } from '../../support/settings-page.ts'

setDefaultTimeout(deadline(60_000))

let settings: SettingsPage
let operator: Operator
let page: Page
let ann: number

const dialog = (name: string) => page.getByRole('dialog', { name })
/** Waits for the dialog that asks who it is, and answers it. */
async function prove(): Promise<void> {
  const asked = dialog('Confirm that it’s you')
  await asked.getByRole('textbox', { name: 'Password' }).fill(rootAccount.password)
  await asked.getByRole('button', { name: 'Confirm' }).click()
}

describe.skipIf(!hasChromium())('a console whose person proved nothing lately', () => {
  beforeAll(async () => {
    settings = await startSettingsPage()
    ;({ operator, page } = settings)
    ann = (await addUser(settings.gateway, 'ann', 0)).userId
    await operator.addChannel({
      name: 'alpha',
      base_url: 'http://127.0.0.1:9',
      models: 'm',
      key: 'sk-shown',
    } as never)
  })
  afterAll(() => settings?.stop())

  it('saves what runs the gateway at once, and what carries accounts after one proof', async () => {
    await expireRecentProofs(settings.gateway)
    await settings.open('other')
    await settings.field('System name').fill('Gate')
    await settings.save()
    await settings.saved()
    await settings.open('system')
    await settings.field('Server address').fill('https://gate.example')
    await settings.field('GitHub client ID').fill('house')
    await settings.save()
    await prove()
    await settings.saved()
    expect(await settings.stored('ServerAddress')).toBe('https://gate.example')
    expect(await settings.stored('GitHubClientId')).toBe('house')
  })

  it('promotes a user after a proof', async () => {
    await expireRecentProofs(settings.gateway)
    await page.goto(`${settings.gateway.url}/user`)
    await page.getByRole('button', { name: /ctions for ann/ }).click()
    await page.getByRole('menuitem', { name: 'Promote to administrator' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Promote' }).click()
    await prove()
    await page.getByRole('row', { name: /ann/ }).getByText('Administrator').waitFor()
    expect((await operator.api<{ role: number }>('GET', `/api/user/${ann}`)).role).toBe(10)
  })

  it('exports everything after a proof, as a file that the browser downloads by itself', async () => {
    await expireRecentProofs(settings.gateway)
    await settings.open('other')
    await page.getByRole('checkbox', { name: 'With keys in plain text' }).check()
    const begun = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await prove()
    const file = await begun
    expect(file.suggestedFilename()).toBe('tollgate-export.zip')
    expect(await file.failure()).toBeNull()
    await page.getByText('The file has every key in plain text').waitFor()
  })

  it('shows a channel’s keys after a proof', async () => {
    await expireRecentProofs(settings.gateway)
    await page.goto(`${settings.gateway.url}/channel`)
    await page.getByRole('button', { name: 'More actions for alpha' }).click()
    await page.getByRole('menuitem', { name: 'Show keys' }).click()
    await dialog('Keys of alpha').getByRole('button', { name: 'Show keys' }).click()
    await prove()
    await page.getByText('sk-shown').waitFor()
  })
})
