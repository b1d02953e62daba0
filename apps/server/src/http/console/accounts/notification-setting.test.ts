import { afterAll, describe, expect, it } from 'bun:test'
import { notificationSettingBody } from '@tollgate/api'
import { readNotificationSetting } from '../../../accounts/users/notification-setting.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { readUserSetting } from '../../../accounts/users/user-setting.ts'
import type { NewUser } from '../../../store/accounts/users.ts'
import { unique } from '../../../store/contract/samples.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const webhook = {
  notify_type: 'webhook',
  quota_warning_threshold: 100_000,
  webhook_url: 'https://hooks.example.com/T0/abcdef',
  webhook_secret: 'hush-hush',
  accept_unset_model_ratio_model: true,
}
const email = { notify_type: 'email', quota_warning_threshold: 500 }

async function setUp(fields: Partial<NewUser> = {}) {
  const fixture = await consoleFixture()
  const ann = await fixture.createUser({ email: `${unique('ann')}@example.com`, ...fields })
  const headers = await fixture.loggedIn(ann)
  const save = async (body: object) =>
    (await fixture.send('PUT', '/api/user/setting', { headers, body })).envelope.code ?? 'saved'
  const text = async () => (await fixture.store.users.find(ann.id))?.setting ?? ''
  const stored = async () => readNotificationSetting({ id: ann.id, setting: await text() }, fixture.vault)
  const visible = async () => {
    const { envelope } = await fixture.send('GET', '/api/user/self', { headers })
    return JSON.parse((envelope.data as { setting: string }).setting || '{}')
  }
  return { ...fixture, ann, headers, save, text, stored, visible }
}

describe('notification settings', () => {
  it('are stored, and returned without the webhook’s address and secret', async () => {
    const { save, stored, visible, text } = await setUp()
    expect(await save(webhook)).toBe('saved')
    expect(await stored()).toEqual({
      notifyType: 'webhook',
      webhookUrl: webhook.webhook_url,
      webhookSecret: 'hush-hush',
      notificationEmail: '',
    })
    expect(readUserSetting(await text())).toEqual({
      quotaWarningThreshold: 100_000,
      acceptsUnpricedModels: true,
      keepsFailedCalls: false,
    })
    expect(await text()).not.toContain('hush-hush')
    expect(await visible()).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 100_000,
      accept_unset_model_ratio_model: true,
      webhook_url_set: true,
      webhook_secret_set: true,
    })
  })

  it('keep secrets that are left empty, and what belongs to the other type', async () => {
    const { save, stored, ann } = await setUp()
    await save(webhook)
    const { webhook_url: _left, ...withoutUrl } = webhook
    expect(await save({ ...withoutUrl, webhook_secret: '' })).toBe('saved')
    expect(await save({ ...webhook, webhook_url: '' })).toBe('webhook_url_missing')
    expect(await save({ ...email, notification_email: ann.email })).toBe('saved')
    expect(await stored()).toEqual({
      notifyType: 'email',
      webhookUrl: webhook.webhook_url,
      webhookSecret: 'hush-hush',
      notificationEmail: ann.email,
    })
    await save({ ...webhook, webhook_secret: 'another' })
    expect(await stored()).toMatchObject({ webhookSecret: 'another', notificationEmail: ann.email })
  })

  it('keep what other parts of the product stored beside them', async () => {
    const { save, text } = await setUp({ setting: '{"of_another_part":1}' })
    await save(email)
    expect(JSON.parse(await text())).toMatchObject({ of_another_part: 1, notify_type: 'email' })
  })

  const omitted = Object.keys(notificationSettingBody.shape).filter((name) => name !== 'base')
  it.each(omitted)('stay as they are when a body has all fields but %s', async (name) => {
    const { save, stored, text, ann } = await setUp()
    const own = { notification_email: ann.email, keep_failed_calls: true }
    await save(webhook)
    await save({ ...email, ...own })
    const before = { ...(await stored()), ...readUserSetting(await text()) }
    const all = { ...email, ...own, accept_unset_model_ratio_model: true, verification_code: '' }
    expect(await save({ ...all, [name]: undefined })).toBe('saved')
    expect({ ...(await stored()), ...readUserSetting(await text()) }).toEqual(before)
  })

  it('stay as they are when a body has no field, or only another one', async () => {
    const { save, stored, text, ann } = await setUp()
    await save({ ...email, accept_unset_model_ratio_model: true, notification_email: ann.email })
    const before = await stored()
    expect(await save({})).toBe('saved')
    expect(await save({ keep_failed_calls: true })).toBe('saved')
    expect(await stored()).toEqual(before)
    expect(readUserSetting(await text())).toEqual({
      quotaWarningThreshold: 500,
      acceptsUnpricedModels: true,
      keepsFailedCalls: true,
    })
  })

  it.each([
    ['notify_type_invalid', { ...email, notify_type: '' }],
    ['notify_type_invalid', { ...email, notify_type: 'pigeon' }],
    ['quota_warning_threshold_invalid', { ...email, quota_warning_threshold: 0 }],
    ['quota_warning_threshold_invalid', { ...email, quota_warning_threshold: -1 }],
    ['invalid_parameter', { ...email, quota_warning_threshold: 'many' }],
    ['webhook_url_missing', { ...webhook, webhook_url: '' }],
    ['webhook_url_invalid', { ...webhook, webhook_url: 'http://hooks.example.com/' }],
    ['webhook_url_invalid', { ...webhook, webhook_url: 'hooks.example.com' }],
    ['webhook_url_invalid', { ...webhook, webhook_url: 'file:///etc/passwd' }],
    ['webhook_url_invalid', { ...webhook, webhook_url: 'https://ann:secret@hooks.example.com/' }],
    ['webhook_url_invalid', { ...webhook, webhook_url: `https://hooks.example.com/${'x'.repeat(2048)}` }],
    ['webhook_secret_too_long', { ...webhook, webhook_secret: 'x'.repeat(257) }],
    ['email_invalid', { ...email, notification_email: 'a@example.com;b@example.com' }],
    ['email_invalid', { ...email, notification_email: 'ann' }],
    ['notification_email_unproven', { ...email, notification_email: 'stranger@example.com' }],
    [
      'verification_code_wrong',
      { ...email, notification_email: 'stranger@example.com', verification_code: '000000' },
    ],
  ])('are refused as %s, and nothing is stored: %p', async (code, body) => {
    const { save, text } = await setUp()
    expect(await save(body)).toBe(code)
    expect(await text()).toBe('')
  })

  it('take another address when its code proves it, and remember that', async () => {
    const { save, stored, send, headers, mails } = await setUp()
    const notification_email = `${unique('other')}@example.com`
    await send('GET', `/api/verification?email=${notification_email}`, { headers })
    const verification_code = />([\da-f]{6})</.exec(mails[0]?.html ?? '')?.[1]
    expect(await save({ ...email, notification_email, verification_code })).toBe('saved')
    expect(await save({ ...email, notification_email })).toBe('saved')
    expect((await stored()).notificationEmail).toBe(notification_email)
    expect(await save({ ...email, notification_email: '' })).toBe('saved')
    expect((await stored()).notificationEmail).toBe('')
    expect(await save({ ...email, notification_email })).toBe('notification_email_unproven')
  })
})
