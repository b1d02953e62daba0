import { describe, expect, it } from 'bun:test'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import { openRowOf } from './open-row.ts'

/** Says what was opened, and where. */
const open = (sealed: string, { column, row }: { column: string; row: string }) => {
  if (sealed === 'unreadable') throw new Error('no key opens it')
  return `${sealed} of ${column} ${row}`
}
const token = { id: 7, name: 'laptop', key_hash: 'h', key_sealed: 's', key_head: 'ab', model_limits: '[]' }
const setting = JSON.stringify({ language: 'en', webhook_secret_sealed: 's' })
const user = { id: 3, password_hash: '$argon2id$', search_text: 'X', setting, access_token_hash: 'h' }

describe('openRowOf', () => {
  it('leaves secrets, keyed hashes and what is derived out', () => {
    expect(openRowOf('tokens', token, undefined)).toEqual({
      id: 7,
      name: 'laptop',
      key_head: 'ab',
      model_limits: '[]',
    })
    expect(openRowOf('users', user, undefined)).toEqual({ id: 3, setting: '{"language":"en"}' })
    expect(openRowOf('user_accounts', { id: 3, quota: 5, granted: 2, last_grant: 1 }, undefined)).toEqual({
      id: 3,
      quota: 5,
    })
  })

  it('opens secrets in their place, and passwords go along', () => {
    const { column, row } = sealContexts.tokenKey('h')
    expect(openRowOf('tokens', token, open)).toMatchObject({ key: `s of ${column} ${row}` })
    expect(openRowOf('users', user, open)).toEqual({
      id: 3,
      password_hash: '$argon2id$',
      setting: '{"language":"en","webhook_secret":"s of users.setting 3"}',
    })
    expect(openRowOf('channels', { id: 1, keys_sealed: 'unreadable' }, open)).toEqual({ id: 1, keys: null })
  })

  it('takes settings for sealed where they are secrets alone', () => {
    const name = { key: 'SystemName', value: 'Ours' }
    const secret = { key: 'SMTPToken', value: 's' }
    expect(openRowOf('options', name, undefined)).toEqual(name)
    expect(openRowOf('options', secret, undefined)).toEqual({ key: 'SMTPToken' })
    expect(openRowOf('options', secret, open)).toMatchObject({ value: 's of options.value SMTPToken' })
  })

  it('leaves a setting that is no JSON as it is', () => {
    const broken = { id: 3, setting: 'no JSON' }
    expect(openRowOf('users', broken, open)).toEqual(broken)
  })
})
