import { describe, expect, it } from 'bun:test'
import { RefusedFields } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
import { fieldOfRefusal, withField } from './refusals.ts'

describe('refusals of the server', () => {
  it('are assigned to the field that their sentence names', () => {
    const reported = withField(
      new ApiError('base_url is too long: at most 9 characters', 'channel_text_too_long', 200),
      () => 'Base URL',
    )
    expect(reported).toBeInstanceOf(RefusedFields)
    expect((reported as RefusedFields).problems).toEqual({
      baseUrl: 'Base URL is too long: at most 9 characters',
    })
  })

  it('have the label of a member’s field, too', () => {
    const reported = withField(
      new ApiError('setting: concurrency must be a whole number', 'channel_setting_not_limit', 200),
      () => 'Extra settings',
    )
    expect((reported as RefusedFields).problems).toEqual({
      setting: 'Extra settings: concurrency must be a whole number',
    })
  })

  it('stay as they are when their code names the field, or when they are about none', () => {
    const known = new ApiError('The base URL must be a full address', 'channel_base_url_invalid', 200)
    expect(withField(known, String)).toBe(known)
    expect(fieldOfRefusal[known.code]).toBe('baseUrl')
    expect(fieldOfRefusal['channel_groups_required']).toBe('groups')
    const other = new ApiError('The database is unreachable', 'database_unavailable', 200)
    expect(withField(other, String)).toBe(other)
  })
})
