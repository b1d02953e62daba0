import { describe, expect, it } from 'bun:test'
import {
  encodeSunoFault,
  encodeSunoResponse,
  encodeSunoTask,
  readSunoReply,
  readSunoSubmission,
  SunoFault,
} from './suno.ts'

const read = (action: string, body: unknown) =>
  readSunoSubmission(action, typeof body === 'string' ? body : JSON.stringify(body), 16)

function faultOf(act: () => unknown): object {
  try {
    act()
  } catch (error) {
    if (error instanceof SunoFault) return { ...encodeSunoFault(error), status: error.status }
    throw error
  }
  throw new Error('no fault')
}

describe('an order of a song', () => {
  it('gets the usual version, and says whether it has words', () => {
    expect(read('music', '{"prompt":"[Verse]", "tags":"pop"}')).toEqual({
      action: 'MUSIC',
      model: 'suno_music',
      originId: '',
      prompt: '[Verse]',
      texts: ['[Verse]', 'pop'],
      body: '{"prompt":"[Verse]", "tags":"pop","mv":"chirp-v3-0","make_instrumental":false}',
    })
    const stated = '{"mv":"chirp-v4","make_instrumental":true}'
    expect(read('Music', stated).body).toBe(stated)
    expect(read('music', '{"mv":"","make_instrumental":null}').body).toBe(
      '{"mv":"chirp-v3-0","make_instrumental":false}',
    )
  })

  it('of words passes as written', () => {
    const body = '{ "prompt":"a song of the sea" }'
    expect(read('lyrics', body)).toMatchObject({ action: 'LYRICS', model: 'suno_lyrics', body })
  })

  it('goes on from a task that it names', () => {
    const body = { continue_clip_id: 'c', continue_at: 20.5, task_id: 't-1' }
    expect(read('MUSIC', body).originId).toBe('t-1')
    expect(faultOf(() => read('music', { continue_clip_id: 'c' }))).toMatchObject({
      message: 'task id is empty',
    })
  })

  it.each([
    ['dance', {}, 'invalid_action'],
    ['lyrics', {}, 'prompt_empty'],
    ['lyrics', { prompt: ' ' }, 'prompt_empty'],
    ['music', { prompt: 5 }, 'prompt must be a text'],
    ['music', { make_instrumental: 'no' }, 'make_instrumental must be true or false'],
    ['music', { continue_at: '20' }, 'continue_at must be a number of seconds'],
    ['music', '{"a":tru}', 'the body is not valid JSON'],
    ['music', '[]', 'the body is not a JSON object, or nests too deep'],
    ['music', '', 'the body is not a JSON object, or nests too deep'],
    [
      'music',
      '{"prompt":"a","prompt":"b"}',
      'prompt appears more than once in the request body: send it once',
    ],
  ])('of %s with %j is refused: %s', (action, body, message) => {
    expect(faultOf(() => read(action, body))).toEqual({
      code: 'invalid_request',
      message,
      data: null,
      status: 400,
    })
  })
})

describe('a response', () => {
  it('names the task', () => {
    expect(readSunoReply(200, '{"code":"success","message":"","data":"736a"}')).toBe('736a')
  })

  it.each([
    [
      200,
      { code: 'no_credits', message: 'too poor' },
      { code: 'no_credits', message: 'too poor', status: 500 },
    ],
    [200, { code: 'success', data: null }, { code: 'unmarshal_response_body_failed', status: 500 }],
    [200, { code: 'success', data: { id: 1 } }, { code: 'unmarshal_response_body_failed', status: 500 }],
    [200, 'x', { code: 'unmarshal_response_body_failed', status: 500 }],
    [403, { message: 'no' }, { code: 'fail_to_fetch_task', message: 'no', status: 403 }],
    [502, 'x', { code: 'fail_to_fetch_task', message: 'the upstream responded with 502', status: 502 }],
  ])('of %d with %j is a refusal', (status, body, expected) => {
    expect(faultOf(() => readSunoReply(status, JSON.stringify(body)))).toMatchObject(expected)
  })

  it('tells a task in seconds', () => {
    const task = {
      id: '736a',
      action: 'MUSIC',
      status: 'SUCCESS',
      progress: 100,
      submittedMs: 1716191749999,
      startedMs: 0,
      finishedMs: 1716191997000,
      failReason: '',
      data: [{ id: 'e6c8' }],
    }
    expect(encodeSunoResponse([encodeSunoTask(task)])).toEqual({
      code: 'success',
      message: '',
      data: [
        {
          task_id: '736a',
          action: 'MUSIC',
          status: 'SUCCESS',
          fail_reason: '',
          submit_time: 1716191749,
          start_time: 0,
          finish_time: 1716191997,
          progress: '100%',
          data: [{ id: 'e6c8' }],
        },
      ],
    })
  })
})
