import { describe, expect, it } from 'bun:test'
import i18next from 'i18next'
import en from '../../i18n/en/audit.json'
import zh from '../../i18n/zh/audit.json'
import { changesOf, humanize, valueText } from './difference.ts'
import { labelForValue, momentIn, quotaIn, type RecordValue } from './value-text.ts'

describe('what a record says was changed', () => {
  it('is shown field by field', () => {
    const record = { before: '{"group":"default","quota":5}', after: '{"group":"vip","quota":7}' }
    expect(changesOf(record)).toEqual([
      { name: 'group', before: 'default', after: 'vip' },
      { name: 'quota', before: 5, after: 7 },
    ])
  })

  it('knows fields that came or went', () => {
    expect(changesOf({ before: '', after: '{"name":"a","tag":"","models":[]}' })).toEqual([
      { name: 'name', before: undefined, after: 'a' },
    ])
  })

  it('survives texts that are no JSON', () => {
    expect(changesOf({ before: 'cut off {', after: '[1]' })).toEqual([
      { name: 'value', before: 'cut off {', after: [1] },
    ])
  })
})

describe('a value', () => {
  it('is one item a line where it is a list, and indented where it is JSON', () => {
    expect(valueText(['a', 'b'])).toBe('a\nb')
    expect(valueText('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(valueText(false)).toBe('false')
  })

  it('is spelled out under a spoken name', () => {
    expect(humanize('displayName')).toBe('Display name')
    expect(humanize('base_url')).toBe('Base url')
  })
})

describe('what a value means', () => {
  const texts = i18next.createInstance()
  void texts.init({ resources: { en: { audit: en }, zh: { audit: zh } }, initAsync: false })
  const user = (name: string, value: unknown): RecordValue => ({
    targetKind: 'user',
    targetName: 'ann',
    name,
    value,
  })
  const option = (targetName: string, value: unknown, name = 'value'): RecordValue => ({
    targetKind: 'option',
    targetName,
    name,
    value,
  })
  const inEnglish = (record: RecordValue) => labelForValue(record, texts.getFixedT('en', 'audit'))
  const inChinese = (record: RecordValue) => labelForValue(record, texts.getFixedT('zh', 'audit'))

  it('is said in both languages', () => {
    expect([inEnglish(user('role', 'root')), inChinese(user('role', 'root'))]).toEqual([
      'Root administrator',
      '超级管理员',
    ])
    expect(inEnglish({ ...user('status', 3), targetKind: 'channel' })).toBe('Auto-disabled')
    expect(inEnglish(user('status', 'banned'))).toBe('Banned')
    expect(inEnglish(user('second_factor', false))).toBe('No')
    expect(inEnglish({ ...user('auto_ban', 0), targetKind: 'channel' })).toBe('Off')
    const draining = { reason: 'draining: new calls go elsewhere', at: 5, code: 'draining' }
    expect(inChinese(user('status_reason', draining))).toBe('排空中：已有调用继续')
    const refused = { ...draining, code: 'key_refused', params: { status: 401 } }
    expect(inEnglish(user('status_reason', refused))).toContain('401')
    const keys = { '1f': { key: 'sk-***abc', status: 'auto-disabled' } }
    expect(inEnglish(user('key_states', keys))).toBe('sk-***abc: Auto-disabled')
    expect(inEnglish(user('off_at', 0))).toBe('Not planned')
    expect(inChinese(option('SMTPToken', 'not set'))).toBe('未设置')
    expect(inEnglish(option('DrawingEnabled', 'true'))).toBe('On')
  })

  it('is left to the value where that says it', () => {
    expect(inEnglish(user('group', 'vip'))).toBeUndefined()
    expect(inEnglish(option('Notice', 'set'))).toBeUndefined()
    expect(inEnglish(option('GroupRatio', 1, 'role'))).toBeUndefined()
  })

  it('is money or a moment by where it stands', () => {
    expect(quotaIn(user('quota', 500))).toBe(500)
    expect(quotaIn(option('QuotaForNewUser', '500'))).toBe(500)
    expect(quotaIn(option('GroupRatio', 2, 'quota'))).toBeUndefined()
    expect(momentIn(user('deletedAt', 1_700_000_000))).toBe(1_700_000_000)
    expect(momentIn(user('status', 1))).toBeUndefined()
  })
})
