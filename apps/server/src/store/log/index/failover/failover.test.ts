import { describe, expect, it } from 'bun:test'
import { failoverValues, isRescued, rescued, triedChannels } from './failover.ts'

const other = (channels: string) =>
  `{"frt":1,"admin_info":{"use_channel":[${channels}],"attempts":[{"said":"\\"use_channel\\":[\\"9\\"]"}]}}`

describe('failover', () => {
  it('reads the channels of the attempts, and nothing that an upstream has said', () => {
    expect(triedChannels(other('"3","17","3"'))).toEqual([3, 17, 3])
    expect(triedChannels(other(''))).toEqual([])
    expect(triedChannels('{"error":{"code":"x"}}')).toEqual([])
    expect(triedChannels('')).toEqual([])
  })

  it('has each other channel of a call once, and marks those that were served', () => {
    const values = (channels: string, isCharged: boolean) =>
      failoverValues({ isCharged, channelId: 17, other: other(channels) })
    expect(values('"3","3","5","17"', true)).toEqual([rescued, 3, 5])
    expect(values('"3","17"', false)).toEqual([3])
    // Another key of the same channel.
    expect(values('"17","17"', true)).toEqual([rescued])
    expect(values('"17"', true)).toEqual([])
  })

  it('counts a call as rescued that was served behind a failed attempt', () => {
    expect(isRescued({ type: 'consumption', other: other('"3","17"') })).toBe(true)
    expect(isRescued({ type: 'consumption', other: other('"17"') })).toBe(false)
    expect(isRescued({ type: 'error', other: other('"3","17"') })).toBe(false)
  })
})
