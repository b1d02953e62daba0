import { expect, it } from 'bun:test'
import { readUserSetting, withoutSecrets } from './user-setting.ts'

it('reads the settings of a user', () => {
  const text = JSON.stringify({
    quota_warning_threshold: 100,
    accept_unset_model_ratio_model: true,
    notify_type: 'email',
  })
  expect(readUserSetting(text)).toEqual({
    quotaWarningThreshold: 100,
    acceptsUnpricedModels: true,
    keepsFailedCalls: false,
  })
})

it.each([
  '',
  'null',
  '[]',
  '{',
  '"text"',
  '{"quota_warning_threshold":"many","accept_unset_model_ratio_model":3}',
])('reads %p as nothing set', (text) => {
  expect(readUserSetting(text)).toEqual({
    quotaWarningThreshold: undefined,
    acceptsUnpricedModels: false,
    keepsFailedCalls: false,
  })
})

it('shows a setting without address and secret of a webhook, and whether they are set', () => {
  const text = JSON.stringify({
    notify_type: 'webhook',
    webhook_secret: 'hush',
    webhook_secret_sealed: 'sealed',
    webhook_url: 'https://hook.test',
  })
  expect(JSON.parse(withoutSecrets(text))).toEqual({
    notify_type: 'webhook',
    webhook_url_set: true,
    webhook_secret_set: true,
  })
  expect(JSON.parse(withoutSecrets('{"notify_type":"webhook","webhook_secret":""}'))).toEqual({
    notify_type: 'webhook',
  })
  expect(withoutSecrets('')).toBe('')
})
