import { describe, expect, it } from 'bun:test'
import { RefusedFields } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
import { fieldOfRefusal, withField } from './refusals.ts'

describe('refusals of the server', () => {
  it('are assigned to the field that their sentence names', () => {
    const told = withField(
      new ApiError('base_url is too long: at most 9 characters', 'channel_text_too_long', 200),
      () => 'Base URL',
    )
    expect(told).toBeInstanceOf(RefusedFields)
    expect((told as RefusedFields).problems).toEqual({
      baseUrl: 'Base URL is too long: at most 9 characters',
    })
  })

  it('stay as they are when their code names the field, or when they are about none', () => {
    const known = new ApiError('base_url', 'channel_base_url_invalid', 200)
    expect(withField(known, String)).toBe(known)
    expect(fieldOfRefusal[known.code]).toBe('baseUrl')
    const other = new ApiError('The database is unreachable', 'database_unavailable', 200)
    expect(withField(other, String)).toBe(other)
  })
})
