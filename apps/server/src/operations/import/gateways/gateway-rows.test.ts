import { describe, expect, it } from 'bun:test'
import { lockedCompletionRatio } from '../../../billing/pricing/completion-ratio.ts'
import { withChargedRatios } from './completion-ratios.ts'
import { readChannel, readOrder } from './gateway-rows.ts'

const channel = {
  id: 1,
  type: 1,
  key: 'sk-1',
  status: 1,
  name: 'one',
  models: 'm',
  created_time: 1_780_000_000,
}
const read = (more: object, isOldProgram = false) =>
  readChannel({ ...channel, ...more }, 'new-api', isOldProgram)

describe('readChannel', () => {
  it('leaves keys off that are off there, with reason and time', () => {
    const channel_info = JSON.stringify({
      is_multi_key: true,
      multi_key_status_list: { 0: 2, 2: 3, 9: 2 },
      multi_key_disabled_reason: { 2: 'refused' },
      multi_key_disabled_time: { 2: 1_700_000_000 },
    })
    expect(read({ key: 'a\n\nb', channel_info })).toMatchObject({
      value: {
        status: 'enabled',
        keyStates: [
          { text: 'a', status: 'disabled', reason: '', at: 0 },
          { text: 'b', status: 'auto-disabled', reason: 'refused', at: 1_700_000_000 },
        ],
      },
    })
  })

  it('disables a channel whose list of keys that are off cannot be read', () => {
    expect(read({ channel_info: '{' })).toMatchObject({ value: { status: 'disabled' } })
  })

  it('takes members of settings that count here, and names the others', () => {
    const row = read({
      header_override: '{"x-team":"a"}',
      setting: '{"proxy":"http://p:1","mood":"good","calm":false}',
      settings: '{"allow_service_tier":true,"azure_responses_version":"v1"}',
    })
    expect(row).toMatchObject({
      value: { fields: { setting: '{"proxy":"http://p:1","allow_service_tier":true}' } },
      changes: [
        { reason: 'channels.setting.mood has no place here' },
        { reason: 'channels.settings.azure_responses_version has no place here' },
        { reason: 'channels.header_override has no place here' },
      ],
    })
  })

  it.each([
    ['made before the rule had a date', { created_time: 1_700_000_000 }, false, true],
    ['of an old program', {}, true, true],
    ['made since', {}, false, false],
    ['of another type', { type: 1, created_time: 1_700_000_000 }, true, false],
  ])('calls Azure deployments as before: %s', (_, more, isOldProgram, isDotless) => {
    const mapping = { a: 'gpt-4.1', 'gpt-4.1': 'gpt-4.1-eu' }
    const row = read({ type: 3, model_mapping: JSON.stringify(mapping), ...more }, isOldProgram)
    const expected = isDotless ? { a: 'gpt-4.1', 'gpt-4.1': 'gpt-41-eu' } : mapping
    expect(row).toMatchObject({
      value: {
        fields: {
          model_mapping: JSON.stringify(expected),
          setting: isDotless ? '{"strip_deployment_dots":true}' : '',
        },
      },
    })
  })
})

describe('readOrder', () => {
  it.each(['creem', 'waffo', 'waffo_pancake', 'balance'])(
    'takes no order of %s for one of epay',
    (method) => {
      const order = { id: 1, user_id: 1, amount: 1, money: 1, trade_no: 't', payment_method: method }
      for (const row of [order, { ...order, payment_provider: method }])
        expect(readOrder(row, 500_000)).toMatchObject({
          leftOut: { reason: `payments by ${method} do not exist here` },
        })
    },
  )
})

describe('withChargedRatios', () => {
  it('writes down the ratio that was charged, whatever was stored', () => {
    const models = { 'gpt-5.9': 2, 'deepseek-chat': 3, 'own-model': 7 }
    const [option] = withChargedRatios([{ key: 'CompletionRatio', value: JSON.stringify(models) }])
    expect(JSON.parse(option?.value ?? '')).toEqual({
      'gpt-5.9': lockedCompletionRatio('gpt-5.9'),
      'deepseek-chat': 4,
      'own-model': 7,
    })
    expect(lockedCompletionRatio('gpt-5.9')).toBe(8)
  })
})
