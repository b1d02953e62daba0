import { describe, expect, it } from 'bun:test'
import { toLogFilter } from './log-filter.ts'

describe('log filter', () => {
  it('selects everything without filters, or with zeros and blanks only', () => {
    expect(toLogFilter({})).toEqual({})
    expect(
      toLogFilter({
        type: 0,
        token_name: '',
        model_name: undefined,
        start_timestamp: 0,
        end_timestamp: 0,
        group: '',
        channel: 0,
        tried_channel: 0,
        rescued: false,
        token_id: 0,
      }),
    ).toEqual({})
  })

  it('maps every filter to its inner name', () => {
    expect(
      toLogFilter({
        type: 2,
        token_name: 'key',
        model_name: 'gpt-4o',
        start_timestamp: 100,
        end_timestamp: 200,
        group: 'vip',
        channel: 7,
        tried_channel: 8,
        rescued: true,
        token_id: 9,
        request_id: 'r-1',
      }),
    ).toEqual({
      type: 'consumption',
      tokenName: 'key',
      model: 'gpt-4o',
      from: 100,
      to: 200,
      group: 'vip',
      channelId: 7,
      triedChannelId: 8,
      isRescued: true,
      tokenId: 9,
      requestId: 'r-1',
    })
  })

  it.each([
    [1, 'top-up'],
    [2, 'consumption'],
    [3, 'management'],
    [4, 'system'],
    [5, 'error'],
  ] as const)('reads type %d as %s', (wire, type) => {
    expect(toLogFilter({ type: wire })).toEqual({ type })
  })

  it.each([6, -1, 99])('selects nothing for the unknown type %d', (type) => {
    expect(toLogFilter({ type })).toBeUndefined()
  })
})
