import { expect, it } from 'bun:test'
import { createEventBus } from '../lib/event-bus.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { notifyRootOfChannels } from './root-notices.ts'

it('the super admin is notified of each channel that the gateway switches, and of the end of a test of all', () => {
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const types: string[] = []
  const end = notifyRootOfChannels(bus, { notifyRoot: ({ type }) => void types.push(type) })
  const channel = { id: 3, name: 'one', reason: 'r', code: '', params: {} }
  const run = { manual: false, cancelled: false, total: 1, tested: 1, failed: [] }
  const publish = () => {
    bus.publish('channel-status-changed', { ...channel, status: 'auto-disabled' })
    bus.publish('channel-status-changed', { ...channel, status: 'enabled' })
    bus.publish('channel-test-finished', run)
  }
  publish()
  end()
  publish()
  expect(types).toEqual(['channel_update_3_3', 'channel_update_3_1', 'channel_test'])
})
