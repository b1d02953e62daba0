import { describe, expect, it } from 'bun:test'
import { MidjourneyFault, SunoFault } from '@tollgate/formats'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { faultRefusal, taskRefusal } from './error-reply.ts'

const reported = (form: 'drawing' | 'music', error: RelayError) => {
  const { status, body } = taskRefusal(form, error, 'r-1')
  return [status, JSON.parse(body)]
}
const drawing = (description: string, code: number) => ({ description, type: 'upstream_error', code })
const music = (code: string, message: string) => ({ code, message, data: null })

describe('a refusal', () => {
  it.each([
    [new RelayError('insufficient_user_quota', 'Too poor.'), 400, drawing('quota_not_enough', 4)],
    [new RelayError('upstream_unreachable', 'Away.'), 400, drawing('do_request_failed', 5)],
    [new RelayError('channel_disabled', 'Off.'), 400, drawing('Off. (request id: r-1)', 4)],
    [new RelayError('invalid_api_key', 'No key.'), 401, drawing('No key. (request id: r-1)', 4)],
    [new RelayError('too_many_requests', 'Slow down.'), 429, drawing('Slow down. (request id: r-1)', 30)],
    [new RelayError('no_available_channel', 'Nobody.'), 503, drawing('Nobody. (request id: r-1)', 5)],
    [
      new RelayError('upstream_error', 'x', { status: 502, upstreamCode: 'empty_response_body' }),
      400,
      drawing('empty_response_body', 5),
    ],
  ])('reaches clients of images in their form: %s', (error, status, body) => {
    expect(reported('drawing', error)).toEqual([status, body])
  })

  it.each([
    [
      new RelayError('insufficient_token_quota', 'Too poor.'),
      403,
      music('quota_not_enough', 'Too poor. (request id: r-1)'),
    ],
    [
      new RelayError('channel_disabled', 'Off.'),
      400,
      music('task_channel_disable', 'Off. (request id: r-1)'),
    ],
    [
      new RelayError('too_many_requests', 'Slow.'),
      429,
      music('too_many_requests', 'Slow. (request id: r-1)'),
    ],
    [
      new RelayError('upstream_error', 'No.', { status: 500, upstreamCode: 'no_credits' }),
      500,
      music('no_credits', 'No. (request id: r-1)'),
    ],
  ])('reaches clients of music in their form: %s', (error, status, body) => {
    expect(reported('music', error)).toEqual([status, body])
  })

  it('in the words of a form has no other', () => {
    const { status, body } = faultRefusal(new MidjourneyFault('prompt_is_required'))
    expect([status, JSON.parse(body)]).toEqual([400, drawing('prompt_is_required', 4)])
    const refused = faultRefusal(new SunoFault('task_not_exist', 'task_not_exist', 400))
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      400,
      music('task_not_exist', 'task_not_exist'),
    ])
  })
})
