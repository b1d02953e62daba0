import { describe, expect, it } from 'bun:test'
import {
  defaults,
  parseSetting,
  type SettingKey,
  type SettingValues,
  settingCatalogue,
  settingKeys,
} from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import { groupsWithoutRatio, refuseWithoutEffect } from './effective-values.ts'

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

/** Every option that is an address, from the catalogue. */
const addresses = settingKeys.filter((key) => {
  const { control } = settingCatalogue[key]
  return control.kind === 'text' && control.url
})

describe.each(addresses)('the address %s', (key) => {
  it.each([
    'a.example',
    '//a.example',
    'ftp://a.example',
    'https://',
    'https:// a',
    'https://[::1',
    'https://a.example:0',
    'https://a.example:99999',
    'https://1.2.3.999',
    'https://a.example/a b',
    'javascript:alert(1)',
  ])('is not %s, which nobody can call', (form) => {
    expect(parseSetting(key, form)).toMatchObject({ ok: false, code: 'option_not_url' })
  })

  it.each([
    'https://a.example',
    'HTTPS://A.Example',
    'https://例え.jp',
    'https://[::1]:8080',
    'http://10.0.0.1:3000',
    ' https://a.example ',
  ])('may be %s', (form) => {
    const parsed = parseSetting(key, form)
    expect(parsed).toEqual({ ok: true, value: form.trim() })
    expect(refusalOf(key, form.trim())).toBe('')
  })
})

/** Every option that is a map, from the catalogue. */
const maps = settingKeys.filter((key) => {
  const value: unknown = defaults[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
})

describe.each(maps)('the name of an entry of %s', (key) => {
  const withName = (name: string) => refusalOf(key, { ...(defaults[key] as object), [name]: 1 })

  it('has no blanks around it, no line breaks, and is not blank', () => {
    expect(withName(' m ')).toBe(`Option ${key}: no call can have the name " m ". Write m`)
    expect(withName('m\n1')).toBe(`Option ${key}: no call can have the name "m\\n1". Write m 1`)
    expect(withName(' ')).toContain('the name of an entry is blank')
  })

  it('stays as it is stored', () => {
    const stored = { ...defaults, [key]: { ...(defaults[key] as object), ' m ': 1 } } as SettingValues
    expect(refusalOf(key, { ...(stored[key] as object), ' m ': 2 }, stored)).toBe('')
  })
})

describe('a group', () => {
  it('has no comma in its name: channels have their groups in a comma list', () => {
    expect(refusalOf('GroupRatio', { default: 1, 'a, b': 1 })).toContain('Write a-b')
    expect(refusalOf('ModelRatio', { 'a,b': 1 })).toBe('')
  })

  it('is named while options have entries for it and it has no ratio', () => {
    expect(groupsWithoutRatio(defaults)).toEqual([])
    expect(groupsWithoutRatio({ ...defaults, GroupRatio: { default: 1, vip: 1 } })).toEqual(['svip'])
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
