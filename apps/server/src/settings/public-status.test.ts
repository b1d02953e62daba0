import { describe, expect, it } from 'bun:test'
import { publicStatus as shape } from '@tollgate/api'
import { defaults, isSecret, settingKeys } from '@tollgate/api/settings'
import { publicStatus } from './public-status.ts'

const facts = { version: '1.2.3', startedAt: 1_700_000_000, setUp: true }

describe('public status', () => {
  it('has exactly the fields of the contract', () => {
    const status = publicStatus(defaults, facts)
    expect(shape.strict().parse(status)).toEqual(status)
  })

  it('shows the facts of the installation and the values in force', () => {
    const values = { ...defaults, SystemName: 'Gate', RegisterEnabled: false, QuotaPerUnit: 1000 }
    expect(publicStatus(values, facts)).toMatchObject({
      version: '1.2.3',
      start_time: 1_700_000_000,
      setup: true,
      system_name: 'Gate',
      register_enabled: false,
      quota_per_unit: 1000,
    })
  })

  it('offers online top-up only when address, id and key are all set', () => {
    const values = { ...defaults, PayAddress: 'https://pay.example', EpayId: '1' }
    expect(publicStatus(values, facts).enable_online_topup).toBe(false)
    expect(publicStatus({ ...values, EpayKey: 'k' }, facts).enable_online_topup).toBe(true)
  })

  it('contains no secret', () => {
    const secrets = Object.fromEntries(settingKeys.filter(isSecret).map((key) => [key, 'hush-hush']))
    expect(JSON.stringify(publicStatus({ ...defaults, ...secrets }, facts))).not.toContain('hush-hush')
  })

  it('falls back to the product name when the system name is blank', () => {
    expect(publicStatus({ ...defaults, SystemName: '' }, facts).system_name).toBe(defaults.SystemName)
  })
})
