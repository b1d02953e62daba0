import { RedisClient } from 'bun'
import type { Slice, SliceRequest, SliceStore } from './slice-store.ts'

/** Time that Redis may take to connect or to respond before PostgreSQL counts instead. */
const timeoutMs = 500
/** The number changes with what a key holds: nodes of two versions then count apart for the minutes of an upgrade, and misread nothing. */
const keyPrefix = 'tollgate:limit:1:'

/**
 * One sliding window, in a hash: number of the window, its count, the count of the one before. Arguments: window in ms, limit,
 * need, wish, window and counts that another store had (window -1: none), then window and amount of each correction (window -1:
 * the current one).
 */
const takeWindow = `
local window, limit, need, wish = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local number = math.floor(now / window)
local stored = redis.call('HMGET', KEYS[1], 'number', 'current', 'previous')
local at, current, previous = tonumber(stored[1] or 0), tonumber(stored[2] or 0), tonumber(stored[3] or 0)
if number > at then
  if number == at + 1 then previous = current else previous = 0 end
  current, at = 0, number
end
local other = tonumber(ARGV[5])
if other == at then
  current, previous = math.max(current, tonumber(ARGV[6])), math.max(previous, tonumber(ARGV[7]))
elseif other == at - 1 then previous = math.max(previous, tonumber(ARGV[6])) end
for place = 8, #ARGV, 2 do
  local of, amount = tonumber(ARGV[place]), tonumber(ARGV[place + 1])
  if of == at or of == -1 then current = math.max(0, current + amount)
  elseif of == at - 1 then previous = math.max(0, previous + amount) end
end
local passed = now % window
local used = current + previous * (1 - passed / window)
local granted
if used + wish <= limit / 2 then granted = wish
else granted = math.min(need, math.max(0, math.floor(limit - used))) end
current = current + granted
redis.call('HSET', KEYS[1], 'number', at, 'current', current, 'previous', previous)
redis.call('PEXPIRE', KEYS[1], window * 2)
return {granted, at, current, previous, passed}
`

/**
 * Slots, in a hash: for each node how many it holds, and when it said so. Arguments: node, held, limit, need, wish. A node that
 * has been silent for 15 seconds holds none.
 */
const takeSlots = `
local node, held, limit, need, wish = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local now = tonumber(redis.call('TIME')[1])
local used = held
local stored = redis.call('HGETALL', KEYS[1])
for place = 1, #stored, 2 do
  local count, seen = string.match(stored[place + 1], '^(%d+) (%d+)$')
  if tonumber(seen) < now - 15 then redis.call('HDEL', KEYS[1], stored[place])
  elseif stored[place] ~= node then used = used + tonumber(count) end
end
local granted
if used + wish <= limit / 2 then granted = wish
else granted = math.min(need, math.max(0, limit - used)) end
if held + granted == 0 then redis.call('HDEL', KEYS[1], node)
else redis.call('HSET', KEYS[1], node, (held + granted) .. ' ' .. now) end
redis.call('EXPIRE', KEYS[1], 60)
return {granted, 0, used + granted, 0, 0}
`

const noCounts = { window: -1, current: 0, previous: 0 }

export interface RedisSlices extends SliceStore {
  close(): void
}

/** Counts of limits in Redis or Valkey, by one atomic script for each. @param node id of this node */
export function createRedisSlices(url: string, node: string): RedisSlices {
  const client = new RedisClient(url, {
    connectionTimeout: timeoutMs,
    autoReconnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
  })

  async function take(request: SliceRequest): Promise<Slice> {
    const { key, limit, need, wish, windowMs, held = 0, corrections, atLeast = noCounts } = request
    const [script, parameters] =
      windowMs === undefined
        ? [takeSlots, [node, held, limit, need, wish]]
        : [
            takeWindow,
            [
              ...[windowMs, limit, need, wish, atLeast.window, atLeast.current, atLeast.previous],
              ...corrections.flatMap(({ window, amount }) => [window, amount]),
            ],
          ]
    const reply = await client.send('EVAL', [script, '1', keyPrefix + key, ...parameters.map(String)])
    const [granted = 0, window = 0, current = 0, previous = 0, passedMs = 0] = reply as readonly number[]
    return { granted, window, current, previous, passedMs }
  }

  async function exchange(requests: readonly SliceRequest[]): Promise<readonly Slice[]> {
    if (!client.connected) await client.connect()
    return await Promise.all(requests.map(take))
  }

  return {
    exchange: (requests) => withinTime(exchange(requests)),
    close: () => client.close(),
  }
}

/** Rejects when Redis takes too long: a call must not wait for a store that hangs. */
async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`Redis does not respond within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
