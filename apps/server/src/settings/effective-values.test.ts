import { describe, expect, it } from 'bun:test'
import { defaults, type SettingKey, type SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import { refuseWithoutEffect } from './effective-values.ts'

function refusalOf(key: SettingKey, value: unknown, before: SettingValues = defaults): string {
  const after = { ...before, [key]: value } as SettingValues
  try {
    refuseWithoutEffect([key], { before, after })
    return ''
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error)
  }
}

describe('an address that others are made of', () => {
  it.each([
    ['ServerAddress', 'https://gate.example/v1', 'https://gate.example'],
    ['ServerAddress', 'https://gate.example?a=1', 'https://gate.example'],
    ['ServerAddress', 'https://user:secret@gate.example', 'https://gate.example'],
    ['PayAddress', 'https://pay.example/submit.php', 'https://pay.example'],
    ['PayAddress', 'https://pay.example/x/mapi.php', 'https://pay.example/x'],
    ['PayAddress', 'https://pay.example/x?a=1', 'https://pay.example/x'],
    ['CustomCallbackAddress', 'https://back.example/api/user/epay/notify', 'https://back.example'],
    ['WeChatServerAddress', 'https://wechat.example/#a', 'https://wechat.example'],
  ] as const)('%s %s is refused, with what to write', (key, value, right) => {
    expect(refusalOf(key, value)).toBe(`Option ${key}: write ${right}; the gateway adds the rest`)
    expect(refusalOf(key, right)).toBe('')
  })

  it('may have a path where what is added to it lies below', () => {
    expect(refusalOf('PayAddress', 'https://pay.example/epay')).toBe('')
    expect(refusalOf('CustomCallbackAddress', 'https://back.example/gate')).toBe('')
  })
})

describe('an entry for a group', () => {
  const entries = {
    UserUsableGroups: 'text',
    TopupGroupRatio: 1,
    ModelRequestRateLimitGroup: [1, 1],
    GroupRateLimits: {},
  }

  it.each(Object.entries(entries))('is refused in %s where there is no such group', (name, entry) => {
    const key = name as SettingKey
    expect(refusalOf(key, { nowhere: entry })).toBe(
      `Option ${key}: there is no group nowhere. Add it to GroupRatio first, or choose one of default, vip, svip`,
    )
    expect(refusalOf(key, { vip: entry })).toBe('')
    const stored = { ...defaults, [key]: { nowhere: entry } } as SettingValues
    expect(refusalOf(key, { nowhere: entry, vip: entry }, stored)).toBe('')
  })
})
