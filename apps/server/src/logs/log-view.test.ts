import { describe, expect, it } from 'bun:test'
import { logEntry } from '@tollgate/api'
import { adminView, ownView } from './log-view.ts'
import { logRow } from './test-support/usage-in-memory.ts'

const other = JSON.stringify({ model_ratio: 1.25, admin_info: { use_channel: ['7', '9'] } })
const row = { ...logRow({ other, channelId: 7, cost: 4 }), id: 123_456 }

describe('a log row for administrators', () => {
  it('has every field of the contract, the name of the channel and all recorded details', () => {
    const view = adminView(row, (id) => `channel ${id}`)
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
    const view = ownView(row)
    expect(logEntry.strict().parse(view)).toEqual(view)
    expect(view).toMatchObject({ id: 123_456, channel: 0, channel_name: '', other: '{"model_ratio":1.25}' })
    expect(Object.keys(view)).not.toContain('cost')
  })

  it.each(['', 'null', '{"admin_info":', '[1]', '"text"'])('shows %j as nothing', (text) => {
    expect(ownView({ ...row, other: text }).other).toBe('')
  })
})
