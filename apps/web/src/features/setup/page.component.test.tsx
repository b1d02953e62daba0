import { expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { sampleStatus } from '../../../dev/samples.ts'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { rootUser } from '../../test-support/people.ts'
import { describePage, type PageTest, screen, waitFor, within } from '../../test-support/render-page.tsx'

const load = () => import('./page.tsx')

/** A gateway that nobody has set up yet. */
async function openFirst({ gateway, open }: PageTest): Promise<void> {
  const status = { ...sampleStatus(), setup: false }
  gateway
    .on(calls.status.read, () => status)
    .on(calls.setup.read, { status: false, root_init: false, database_type: 'sqlite', code_required: false })
    .on(calls.setup.run, () => void Object.assign(status, { setup: true }))
    .on(calls.users.login, rootUser)
  await open('/pricing', { as: 'guest' })
}

describePage('the first run', load, (page) => {
  it('leads every page to the setup, which warns of SQLite and explains its modes', async () => {
    await openFirst(page)
    await page.reads('Database: SQLite')
    expect(page.address).toBe('/setup')
    await page.press('About the modes')
    const modes = within(await screen.findByRole('dialog', { name: 'Usage modes' }))
    await page.reads('Every model needs a price:', modes)
    expect(await brokenRules()).toEqual([])
  })

  it('says what is wrong beside the field', async () => {
    await openFirst(page)
    await page.fill('Password', 'short')
    await page.fill('Confirm password', 'other')
    await page.press('Set up the system')
    await page.reads('Username must not be empty')
    await page.reads('Password must have at least 8 characters')
    await page.reads('The two passwords entered are inconsistent')
    expect(page.gateway.sent(calls.setup.run)).toEqual([])
    expect(await brokenRules()).toEqual([])
  })

  it('sends what was chosen', async () => {
    await openFirst(page)
    await page.fill('Administrator username', 'root')
    await page.fill('Password', 'correct-horse-battery')
    await page.fill('Confirm password', 'correct-horse-battery')
    await page.user.click(screen.getByRole('radio', { name: /Self-use/ }))
    await page.press('Set up the system')
    await waitFor(() =>
      expect(page.gateway.bodies(calls.setup.run)).toEqual([
        {
          username: 'root',
          password: 'correct-horse-battery',
          confirmPassword: 'correct-horse-battery',
          SelfUseModeEnabled: true,
          DemoSiteEnabled: false,
        },
      ]),
    )
  })

  it('cannot be done twice', async () => {
    page.gateway.on(calls.tokens.list, [], () => ({ total: 0 }))
    await page.open('/setup')
    await waitFor(() => expect(page.address).not.toBe('/setup'))
  })
})
