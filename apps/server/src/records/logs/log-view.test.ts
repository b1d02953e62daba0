import { describe, expect, it } from 'bun:test'
import { logEntry } from '@tollgate/api'
import { encodeLogEvent } from '@tollgate/api/log-events'
import { adminView, ownView } from './log-view.ts'
import { logRow } from './test-support/usage-in-memory.ts'

const other = JSON.stringify({ model_ratio: 1.25, admin_info: { use_channel: ['7', '9'] } })
const reader = { language: 'en', DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } as const
const row = { ...logRow({ other, channelId: 7, cost: 4 }), id: 123_456 }

describe('a log row for administrators', () => {
  it('has every field of the contract, the name of the channel and all recorded details', () => {
    const view = adminView(row, (id) => `channel ${id}`, reader)
    expect(logEntry.strict().parse(view)).toEqual(view)
    expect(view).toMatchObject({
      id: 123_456,
      type: 2,
      channel: 7,
      channel_name: 'channel 7',
      other,
      cost: 4,
    })
  })
})

describe('a log row for its owner', () => {
  it('has the same fields, its real id, and nothing of the channels and of what it cost', () => {
    const view = ownView(row, reader)
    expect(logEntry.strict().parse(view)).toEqual(view)
    expect(view).toMatchObject({ id: 123_456, channel: 0, channel_name: '', other: '{"model_ratio":1.25}' })
    expect(Object.keys(view)).not.toContain('cost')
  })

  it.each(['', 'null', '{"admin_info":', '[1]', '"text"'])('shows %j as nothing', (text) => {
    expect(ownView({ ...row, other: text }, reader).other).toBe('')
  })
})

describe('a row that is no call', () => {
  it('is a sentence in the language of its reader, with amounts as the site displays them now', () => {
    const event = { event: 'code_redeemed', params: { quota: 250_000, code: 3 } } as const
    const redeemed = { ...row, type: 'top-up' as const, ...encodeLogEvent(event) }
    expect(ownView(redeemed, reader).content).toBe('Redeemed ＄0.500000 of quota, code id 3')
    expect(ownView(redeemed, { ...reader, language: 'zh' }).content).toBe(
      '兑换了 ＄0.500000 额度，兑换码 ID 3',
    )
    const inPoints = { ...reader, DisplayInCurrencyEnabled: false }
    expect(adminView(redeemed, () => '', inPoints).content).toBe('Redeemed 250000 points of quota, code id 3')
    expect(ownView({ ...redeemed, content: 'Redeemed 5', other: '' }, reader).content).toBe('Redeemed 5')
  })
})
