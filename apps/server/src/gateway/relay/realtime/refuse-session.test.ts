import { describe, expect, it } from 'bun:test'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import type { RelayCaller } from '../admission.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import type { RelayError } from '../relay-error.ts'
import { refuseSession } from './refuse-session.ts'
import type { SessionCall } from './session-call.ts'

const model = 'gpt-realtime'
const served = { id: 3, models: new Set([model]), groups: ['default'], keys: ['first', 'second'] }
const caller = { user: { group: 'default' }, token: { group: '', modelLimits: null }, group: 'default' }
const disabledKey = (index: number, isManual = true) => ({
  disabledKeys: new Map([[index, { reason: '', at: 0, ...(isManual && { isManual: true as const }) }]]),
})

/** Code of the refusal of a session that the second key of channel 3 serves; `undefined` where it goes on. */
function refusal(change: {
  readonly channel?: Partial<RoutedChannel> | null
  readonly caller?: object
  readonly settings?: Partial<SettingValues>
}): string | undefined {
  const now = change.channel === null ? [] : [routedChannel({ ...served, ...change.channel })]
  const settings = { ...defaults, ModelRatio: { [model]: 1 }, ...change.settings }
  const deps = { settings: { current: settings }, channels: { snapshot: buildSnapshot(now, []) } }
  try {
    refuseSession(
      { request: { model }, createdAt: 0 } as unknown as SessionCall,
      { ...caller, ...change.caller } as unknown as RelayCaller,
      { channel: routedChannel(served), keyIndex: 1 },
      deps as unknown as RelayDependencies,
    )
    return undefined
  } catch (error) {
    return (error as RelayError).code
  }
}

describe('a session', () => {
  it('goes on while it would be opened again, also while its channel drains or the gateway has taken it out', () => {
    const drain = { since: 1, by: 1, stays: false }
    const states = [{}, { status: 'disabled', drain }, { status: 'auto-disabled' }] as const
    for (const channel of [...states, disabledKey(0), disabledKey(1, false), { keys: ['second', 'third'] }])
      expect(refusal({ channel })).toBeUndefined()
    expect(refusal({ channel: { groups: [] }, caller: { pinnedChannelId: 3 } })).toBeUndefined()
  })

  it('ends with its channel, the key that serves it, and what the channel serves', () => {
    const gone = { models: new Set<string>() }
    const changes = [
      null,
      { status: 'disabled' },
      disabledKey(1),
      { keys: ['first'] },
      gone,
      { groups: ['vip'] },
    ] as const
    for (const channel of changes) expect(refusal({ channel })).toBe('no_available_channel')
  })

  it('ends with the models, the group and the price that its caller may use', () => {
    const closed = { settings: { UserUsableGroups: { default: '' }, GroupRatio: { default: 1, vip: 1 } } }
    const codes = [
      refusal({ caller: { token: { group: '', modelLimits: new Set(['other']) } } }),
      refusal({ ...closed, caller: { token: { group: 'vip', modelLimits: null } } }),
      refusal({ caller: { group: 'vip' } }),
      refusal({ settings: { ModelRatio: {}, ModelPrice: {} } }),
    ]
    expect(codes).toEqual([
      'model_not_allowed',
      'group_not_allowed',
      'no_available_channel',
      'model_price_error',
    ])
  })
})
