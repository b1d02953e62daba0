import { expect, it } from 'bun:test'
import {
  type AccessTokenRow,
  calls,
  type Passkey,
  type SecurityEventRow,
  type Session,
  type User,
} from '@tollgate/api'
import { sampleUser } from '../../../dev/samples.ts'
import { customer } from '../../test-support/people.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const unit = 500_000
const stepUp = 'Confirm that it’s you'
const models = Array.from({ length: 12 }, (_, index) => `model-${index + 10}`)
const ann: User = {
  ...sampleUser(),
  id: customer.id,
  username: 'ann',
  display_name: 'Ann',
  role: customer.role,
  aff_quota: 3 * unit,
}
const session: Session = {
  id: '0123456789abcdef',
  current: true,
  user_agent: '',
  address: '127.0.0.1',
  created_at: 1_800_000_000,
  last_seen_at: 1_800_000_100,
  expires_at: 1_900_000_000,
}
const elsewhere: Session = { ...session, id: 'fedcba9876543210', current: false }
const laptop: Passkey = { id: 1, name: 'Work laptop', created_at: 1_800_000_000, last_used_at: 0 }
const script: AccessTokenRow = {
  id: 1,
  name: 'Deploy script',
  scope: 'read',
  created_at: 1_800_000_000,
  expires_at: 0,
  last_used_at: 1_800_000_100,
}

/** Ann's account with nothing in it; the returned object is what she then is. */
function respond({ gateway }: PageTest): { user: User; proven: boolean } {
  const stored = { user: ann, proven: true }
  gateway.on(calls.users.self, () => stored.user)
  gateway.on(calls.users.models, models)
  gateway.on(calls.users.groups, {
    default: { ratio: 1, desc: 'Standard' },
    vip: { ratio: 6, desc: 'First come' },
  })
  gateway.on(calls.secondFactor.status, { enabled: false, recovery_codes_left: 0 })
  gateway.on(calls.passkeys.list, [])
  gateway.on(calls.sessions.list, [session])
  gateway.on(calls.accessTokens.list, [])
  gateway.on(calls.proofs.ways, {
    password: true,
    code: false,
    passkey: false,
    providers: [],
    proven_until: 0,
  })
  gateway.on(calls.proofs.byPassword, ({ body }) => {
    if (body.password !== 'a-long-password') return new Refusal('The password is wrong')
    stored.proven = true
    return undefined
  })
  gateway.on(calls.accounts.createAccessTokenByGet, () =>
    stored.proven ? 'a-new-token' : new Refusal('Prove who you are', { code: 'recent_proof_required' }),
  )
  return stored
}

describePage(
  'personal settings',
  () => import('./page.tsx'),
  (page) => {
    const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
      page.user.click(await within(inside).findByRole('button', { name }))
    const open = (path = '/personal') => page.open(path, { as: customer })
    const dialog = (name: string) => screen.findByRole('dialog', { name })
    const confirmBy = async (name: string) => press(name, await screen.findByRole('alertdialog'))
    const type = async (box: HTMLElement, text: string) => {
      await page.user.clear(box)
      await page.user.type(box, text)
    }

    it('show who one is and which models one can call, ten of them until asked for more', async () => {
      respond(page)
      await open()
      await screen.findByText('Group default')
      const copies = () => screen.getAllByRole('button', { name: /^Copy model-/ })
      await screen.findByRole('button', { name: 'Copy model-10' })
      expect(copies()).toHaveLength(10)
      await press('Show 2 more')
      expect(copies()).toHaveLength(12)
      expect(localStorage.getItem('modelsExpanded')).toBe('true')
      await press('Copy model-13')
      await screen.findByText('model-13 copied to clipboard')
      expect(await navigator.clipboard.readText()).toBe('model-13')
      await screen.findByText('No passkeys yet.')
      await screen.findByText('Not offered on this site: GitHub, OIDC, LinuxDO, WeChat, Telegram')
    })

    it('save the own names, and say at the name why it is refused', async () => {
      const stored = respond(page)
      page.gateway.on(calls.accounts.updateSelf, ({ body }) => {
        if (body.username === 'root') return new Refusal('The username is taken', { code: 'username_taken' })
        stored.user = { ...ann, username: body.username, display_name: body.display_name }
        return undefined
      })
      await open()
      await press('Edit profile')
      const form = await dialog('Edit profile')
      await type(within(form).getByRole('textbox', { name: 'Username' }), 'root')
      await press('Save profile', form)
      await within(form).findByText('The username is taken')
      await type(within(form).getByRole('textbox', { name: 'Username' }), 'annie')
      await type(within(form).getByRole('textbox', { name: 'Display name' }), 'Annie Lee')
      await press('Save profile', form)
      await screen.findByRole('heading', { name: 'Annie Lee' })
      expect(page.gateway.bodies(calls.accounts.updateSelf).at(-1)).toMatchObject({
        username: 'annie',
        display_name: 'Annie Lee',
      })
      await screen.findAllByRole('button', { name: /Annie Lee ?, account menu/ })
    })

    it('invite others, and move what that earns to the balance', async () => {
      respond(page)
      page.gateway.on(calls.accounts.transferInvitationQuota, undefined)
      await open()
      await screen.findByText(/\/register\?aff=abcd/)
      await press('Transfer')
      const form = await dialog('Transfer earnings')
      const amount = within(form).getByRole('textbox', { name: 'Amount in dollars' })
      expect((amount as HTMLInputElement).value).toBe('1')
      await type(amount, '0.5')
      await press('Transfer to balance', form)
      await within(form).findByText('Minimum transfer amount is $1.00')
      await type(amount, '4')
      await within(form).findByText('You have earned $3.00 that can be transferred')
      await type(amount, '2')
      await press('Transfer to balance', form)
      await waitFor(() =>
        expect(page.gateway.bodies(calls.accounts.transferInvitationQuota)).toEqual([{ quota: 2 * unit }]),
      )
    })

    it('change the password, which asks for the one before', async () => {
      respond(page)
      page.gateway.on(calls.accounts.updateSelf, ({ body }) =>
        body.original_password === 'a-long-password'
          ? undefined
          : new Refusal('The current password is missing or wrong', { code: 'original_password_wrong' }),
      )
      await open()
      await press('Change password')
      const form = await dialog('Change password')
      const [before, changed, again] = [...form.querySelectorAll('input')]
      if (before === undefined || changed === undefined || again === undefined)
        throw new Error('the form has three boxes')
      await type(changed, 'short')
      await type(again, 'other')
      await press('Change password', form)
      await within(form).findByText(/Password length must not be less than 8/)
      await within(form).findByText(/The two passwords entered are inconsistent/)
      await type(before, 'not the one before')
      await type(changed, 'another-long-password')
      await type(again, 'another-long-password')
      await press('Change password', form)
      await within(form).findByText('The current password is missing or wrong')
      await type(before, 'a-long-password')
      await press('Change password', form)
      await screen.findByText('Password changed')
    })

    it('ask who one is once the proof is old, and then go on', async () => {
      const stored = respond(page)
      stored.proven = false
      await open()
      const generate = async () => {
        await press('Generate token')
        await confirmBy('Generate token')
      }
      await generate()
      await dialog(stepUp)
      await page.user.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryAllByRole('dialog', { name: stepUp }).length).toBe(0))
      await generate()
      const proof = await dialog(stepUp)
      await type(await within(proof).findByLabelText(/^Password/), 'not my password')
      await press('Confirm', proof)
      await within(proof).findByText('The password is wrong')
      await type(within(proof).getByLabelText(/^Password/), 'a-long-password')
      await press('Confirm', proof)
      const token = await dialog('System access token')
      await within(token).findByText('a-new-token')
      await press('Done', token)
      await waitFor(() => expect(screen.queryAllByText('a-new-token').length).toBe(0))
    })

    it('make a system access token, copy it and show it once', async () => {
      respond(page)
      await open()
      await press('Generate token')
      await confirmBy('Generate token')
      const token = await dialog('System access token')
      await within(token).findByText('a-new-token')
      expect(await navigator.clipboard.readText()).toBe('a-new-token')
      await press('Done', token)
      await waitFor(() => expect(screen.queryAllByText('a-new-token').length).toBe(0))
    })

    it('set the authenticator up by a QR code, with recovery codes that are shown once', async () => {
      respond(page)
      page.gateway.on(calls.secondFactor.begin, {
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/x?secret=J',
      })
      page.gateway.on(calls.secondFactor.confirm, ({ body }) =>
        body.code === '123456'
          ? { recovery_codes: ['aaaa-bbbb', 'cccc-dddd'] }
          : new Refusal('The code is wrong', { code: 'two_factor_code_wrong' }),
      )
      await open()
      await press('Set up')
      const setUp = await dialog('Set up two-factor authentication')
      await within(setUp).findByRole('img', { name: /QR code/ })
      await press('Turn on', setUp)
      await within(setUp).findByText('Please enter the code')
      await type(within(setUp).getByRole('textbox', { name: 'Code' }), '000000')
      await press('Turn on', setUp)
      await within(setUp).findByText('The code is wrong')
      await type(within(setUp).getByRole('textbox', { name: 'Code' }), '123456')
      await press('Turn on', setUp)
      const codes = await dialog('Recovery codes')
      expect(
        within(codes)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual(['aaaa-bbbb', 'cccc-dddd'])
      await press('Copy codes', codes)
      expect(await navigator.clipboard.readText()).toBe('aaaa-bbbb\ncccc-dddd')
      await press('I have stored them', codes)
    })

    it('rename and delete a passkey', async () => {
      respond(page)
      let stored = [laptop]
      page.gateway.on(calls.passkeys.list, () => stored)
      page.gateway.on(calls.passkeys.rename, ({ body }) => {
        stored = [{ ...laptop, name: body.name }]
        return { ...laptop, name: body.name }
      })
      page.gateway.on(calls.passkeys.delete, () => {
        stored = []
        return undefined
      })
      await open()
      await press('Rename Work laptop')
      const form = await dialog('Rename passkey')
      await type(within(form).getByRole('textbox', { name: 'Name' }), 'Old laptop')
      await press('Rename', form)
      await press('Delete Old laptop')
      await confirmBy('Delete passkey')
      await screen.findByText('Deleted “Old laptop”')
      await screen.findByText('No passkeys yet.')
    })

    it('add an access token that only reads, show when it was used, and remove it', async () => {
      respond(page)
      let stored: AccessTokenRow[] = []
      page.gateway.on(calls.accessTokens.list, () => stored)
      page.gateway.on(calls.accessTokens.create, ({ body }) => {
        stored = [{ ...script, ...body }]
        return { ...script, ...body, token: 'the-secret-of-it' }
      })
      page.gateway.on(calls.accessTokens.remove, () => {
        stored = []
        return undefined
      })
      await open()
      await page.user.click(await screen.findByRole('tab', { name: 'Access tokens' }))
      await press('Add token')
      const form = await dialog('Add an access token')
      await press('Add token', form)
      await within(form).findByText('Please enter a name')
      await type(within(form).getByRole('textbox', { name: 'Name' }), 'Deploy script')
      await page.user.click(within(form).getByRole('radio', { name: /Read only/ }))
      await press('30 days', form)
      await press('Add token', form)
      const added = await dialog('Access token added')
      await within(added).findByText('the-secret-of-it')
      await press('Done', added)
      expect(page.gateway.bodies(calls.accessTokens.create)).toMatchObject([
        { name: 'Deploy script', scope: 'read' },
      ])
      const card = await screen.findByRole('tabpanel', { name: 'Access tokens' })
      await within(card).findByText(/last used/)
      await within(card).findByText('Read only')
      await press('Remove Deploy script')
      await confirmBy('Remove')
      await screen.findByText('Removed “Deploy script”')
    })

    it('list what happened to the account, five events until asked for more', async () => {
      respond(page)
      const event = (id: number): SecurityEventRow => ({
        id,
        created_at: 1_800_000_000 + id,
        kind: 'access-token-removed',
        user_id: ann.id,
        username: 'ann',
        detail: 'Deploy script',
        address: `127.0.0.${id}`,
        user_agent: '',
      })
      page.gateway.on(calls.securityEvents.listSelf, ({ query }) => {
        const all = [9, 8, 7, 6, 5, 4, 3].map(event)
        return {
          items: all.slice(0, query.page_size),
          total: all.length,
          page: 1,
          page_size: query.page_size,
        }
      })
      await open()
      await page.user.click(await screen.findByRole('tab', { name: 'Recent activity' }))
      const card = await screen.findByRole('tabpanel', { name: 'Recent activity' })
      await within(card).findByText(/127\.0\.0\.9/)
      expect(within(card).getAllByText(/127\.0\.0\.\d/)).toHaveLength(5)
      await press('Show more', card)
      await within(card).findByText(/127\.0\.0\.4/)
    })

    it('end the session of another browser, and of all others', async () => {
      respond(page)
      let others = [elsewhere, { ...elsewhere, id: 'aaaaaaaaaaaaaaaa' }]
      page.gateway.on(calls.sessions.list, () => [session, ...others])
      page.gateway.on(calls.sessions.end, ({ params }) => {
        others = others.filter(({ id }) => id !== params.id)
        return undefined
      })
      page.gateway.on(calls.sessions.endOthers, () => {
        const count = others.length
        others = []
        return count
      })
      await open()
      const ends = () => screen.getAllByRole('button', { name: /^Log out Unknown program at/ })
      await screen.findAllByRole('button', { name: /^Log out Unknown program at/ })
      await page.user.click(ends()[0] as HTMLElement)
      await screen.findByText('Session ended')
      await waitFor(() => expect(ends()).toHaveLength(1))
      await press('Log out all others')
      await confirmBy('Log out all others')
      await screen.findByText('All other sessions ended')
      await screen.findByText('This browser')
    })

    it('save how to be warned, with an address that is proven', async () => {
      respond(page)
      page.gateway.on(calls.accounts.sendVerificationCode, undefined)
      page.gateway.on(calls.accounts.saveNotificationSetting, undefined)
      await open()
      await press('Save settings')
      await screen.findByText(/You don’t seem to have changed anything/)
      await press('$10')
      await type(screen.getByRole('textbox', { name: 'Notification email' }), 'alerts@example.com')
      await press('Save settings')
      await screen.findByText('Please enter the email verification code')
      await press('Send code')
      await type(screen.getByRole('textbox', { name: 'Verification code' }), 'abc123')
      await press('Save settings')
      await screen.findByText('Settings saved')
      expect(page.gateway.bodies(calls.accounts.saveNotificationSetting)).toEqual([
        {
          notify_type: 'email',
          quota_warning_threshold: 5_000_000,
          notification_email: 'alerts@example.com',
          verification_code: 'abc123',
          accept_unset_model_ratio_model: false,
          base: {},
        },
      ])
    })

    it('send the secrets of a webhook only when they were typed, and never show them', async () => {
      const stored = respond(page)
      page.gateway.on(calls.accounts.saveNotificationSetting, () => {
        const setting = { notify_type: 'webhook', webhook_url_set: true, webhook_secret_set: true }
        stored.user = { ...ann, setting: JSON.stringify(setting) }
        return undefined
      })
      await open()
      await page.user.click(await screen.findByRole('radio', { name: /Webhook/ }))
      const url = () => screen.getByRole('textbox', { name: 'Webhook URL' })
      await type(url(), 'http://hooks.example/gate')
      await press('Save settings')
      await screen.findByText(/Please enter an https address/)
      await type(url(), 'https://hooks.example/gate')
      await type(screen.getByLabelText('Webhook secret'), 'a secret')
      await press('Save settings')
      await screen.findByText('Settings saved')
      await screen.findAllByText(/Stored and never shown/)
      await waitFor(() => expect((url() as HTMLInputElement).value).toBe(''))
      await page.user.click(screen.getByRole('tab', { name: 'Price settings' }))
      await screen.findByText('6×')
      await page.user.click(screen.getByRole('checkbox', { name: /Accept models without a price/ }))
      await press('Save settings')
      await waitFor(() => expect(page.gateway.bodies(calls.accounts.saveNotificationSetting)).toHaveLength(2))
      const body = page.gateway.bodies(calls.accounts.saveNotificationSetting).at(-1)
      expect(body).toMatchObject({ notify_type: 'webhook', accept_unset_model_ratio_model: true })
      expect(Object.keys(body ?? {})).not.toContain('webhook_url')
      expect(Object.keys(body ?? {}).includes('webhook_secret') && body?.webhook_secret !== '').toBe(false)
    })

    it('agree that failed calls are stored', async () => {
      respond(page)
      page.gateway.on(calls.accounts.saveNotificationSetting, undefined)
      await open('/personal?tab=privacy')
      await page.user.click(await screen.findByRole('checkbox', { name: /Keep my failed calls/ }))
      await press('Save settings')
      await screen.findByText('Settings saved')
      expect(page.gateway.bodies(calls.accounts.saveNotificationSetting)).toMatchObject([
        { keep_failed_calls: true },
      ])
    })

    it('show the refusal, leave the typed text, and ask before it is lost', async () => {
      respond(page)
      page.gateway.on(
        calls.accounts.saveNotificationSetting,
        new Refusal('The disk is full', { code: 'unknown' }),
      )
      await open()
      await press('$10')
      await press('Save settings')
      await screen.findByText('Could not update notification settings')
      await screen.findByText('The disk is full')
      const box = screen.getByRole('textbox', { name: 'Low balance warning' })
      expect((box as HTMLInputElement).value).toBe('10')
      await page.user.click(screen.getByRole('link', { name: 'Wallet' }))
      await press('Cancel', await screen.findByRole('alertdialog', { name: 'Discard unsaved changes?' }))
      expect((box as HTMLInputElement).value).toBe('10')
      expect(page.address).toBe('/personal')
    })

    it('delete the account by its name, and log out', async () => {
      respond(page)
      page.gateway.on(calls.accounts.deleteSelf, undefined)
      page.gateway.on(calls.users.logout, undefined)
      await open()
      await press('Delete account')
      const form = await dialog('Delete your account?')
      const name = within(form).getByRole('textbox', { name: /Enter your account name/ })
      await type(name, 'an')
      await press('Delete my account', form)
      await within(form).findByText('Please enter your account name to confirm deletion')
      expect(page.gateway.sent(calls.accounts.deleteSelf)).toEqual([])
      await type(name, 'ann')
      await press('Delete my account', form)
      await waitFor(() => expect(page.address).toStartWith('/login'))
      expect(localStorage.getItem('user')).toBeNull()
    })
  },
)
