import { describe, expect, it } from 'bun:test'
import { defaults, formatSetting, parseSetting, type SettingKey } from '@tollgate/api/settings'
import { readMap } from './json-maps.ts'
import { limitMaps, readLimits } from './limit-maps.ts'

const written: Partial<Record<SettingKey, string>> = {
  ModelRequestRateLimitGroup: '{"vip":[0,5000]}',
  GroupRateLimits: '{"vip":{"requests_per_minute":600}}',
  ModelRateLimits: '{"gpt-4o":{"tokens_per_minute":5,"concurrency":2}}',
  TopupGroupRatio: '{"vip":0.5}',
  'claude.default_max_tokens': '{"default":8192}',
}

describe('limits in rows', () => {
  it.each(Object.entries(limitMaps))('reads %s and writes it as the option takes it', (key, map) => {
    const option = key as SettingKey
    const text = written[option] ?? formatSetting(option, defaults[option])
    const rows = readLimits(map, readMap(text))
    expect(rows).toBeDefined()
    const entries = [...(rows ?? [])].map(([name, figures]) => [name, map.write(figures)])
    const again = parseSetting(option, JSON.stringify(Object.fromEntries(entries)))
    expect(again).toEqual(parseSetting(option, text))
    expect(parseSetting(option, JSON.stringify({ default: 1, new: map.write(map.first) })).ok).toBe(
      map.columns.length === 1,
    )
    expect(parseSetting(option, JSON.stringify({ new: map.write(map.first) })).ok).toBe(true)
  })

  it('leaves to JSON what has another form', () => {
    const map = limitMaps.GroupRateLimits
    expect(map && readLimits(map, readMap('{"vip":[1,2]}'))).toBeUndefined()
    expect(map && readLimits(map, readMap('[]'))).toBeUndefined()
  })
})
