import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import type { FailedCall } from '../../store/work/failed-calls.ts'
import { createFailedCalls } from './failed-calls.ts'

const hour = 3600

function world() {
  const rows = new Map<string, FailedCall>()
  const state = {
    now: 1_700_000_000,
    settings: { ...defaults, KeepFailedCallsEnabled: true },
    agrees: true,
    gone: false,
  }
  const failedCalls = createFailedCalls({
    repository: {
      add: async (call) => void rows.set(call.requestId, call),
      find: async (id, now) => {
        const row = rows.get(id)
        return row && row.expiresAt > now ? row : undefined
      },
      userIds: async () => [...new Set([...rows.values()].map(({ userId }) => userId))],
      deleteOfUser: async (userId) => {
        for (const [id, row] of rows) if (row.userId === userId) rows.delete(id)
      },
      deleteExpired: async (now) => {
        for (const [id, row] of rows) if (row.expiresAt <= now) rows.delete(id)
      },
      trim: async () => undefined,
    },
    users: { find: async (id) => (state.gone ? undefined : { id, keepsFailedCalls: state.agrees }) },
    vault: { seal: (text, { row }) => `${row}:${text}`, open: (text, { row }) => text.slice(row.length + 1) },
    settings: {
      get current() {
        return state.settings
      },
    },
    clock: { now: () => state.now * 1000 },
    logger: console as never,
  })
  return { failedCalls, rows, state }
}

const owner = { id: 7, keepsFailedCalls: true }
const request = { path: '/v1/chat/completions', query: '', headers: {}, body: '{"model":"m"}' }

describe('requests of failed calls', () => {
  it('are kept until their time is over', async () => {
    const { failedCalls, rows, state } = world()
    failedCalls.keep('one', owner, request)
    await failedCalls.flushed()
    expect(await failedCalls.find('one')).toEqual({ request, expiresAt: state.now + 24 * hour })
    expect(await failedCalls.find('other')).toBeUndefined()
    state.now += 24 * hour
    expect(await failedCalls.find('one')).toBeUndefined()
    await failedCalls.sweep()
    expect(rows.size).toBe(0)
  })

  it('are kept of nobody who did not agree, and never when the operator did not', async () => {
    const { failedCalls, rows, state } = world()
    failedCalls.keep('one', { ...owner, keepsFailedCalls: false }, request)
    state.settings = { ...state.settings, KeepFailedCallsEnabled: false }
    failedCalls.keep('two', owner, request)
    await failedCalls.flushed()
    expect(rows.size).toBe(0)
  })

  it('are gone at once for an owner or operator who opts out, and for a deleted owner', async () => {
    for (const leave of ['agrees', 'gone', 'operator'] as const) {
      const { failedCalls, rows, state } = world()
      failedCalls.keep('one', owner, request)
      await failedCalls.flushed()
      if (leave === 'agrees') state.agrees = false
      if (leave === 'gone') state.gone = true
      if (leave === 'operator') state.settings = { ...state.settings, KeepFailedCallsEnabled: false }
      expect(await failedCalls.find('one')).toBeUndefined()
      await failedCalls.sweep()
      expect(rows.size).toBe(0)
    }
  })

  it('are not kept when they are long, or too many are being written', async () => {
    const { failedCalls, rows } = world()
    failedCalls.keep('long', owner, { ...request, body: 'x'.repeat(1024 * 1024 + 1) })
    for (let index = 0; index < 100; index++) failedCalls.keep(`${index}`, owner, request)
    await failedCalls.flushed()
    expect(rows.size).toBe(32)
  })
})
