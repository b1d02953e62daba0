import { describe, expect, it } from 'bun:test'
import type { ForwardedTaskService, TaskResponse } from '../task.ts'
import { midjourney } from '../vendors/midjourney/index.ts'
import { suno } from '../vendors/suno/index.ts'

const target = { baseUrl: 'https://p.example/', key: 'k-1', openaiOrganization: '', other: '' }
const open = (reference: string) => ({ reference, model: 'mj_imagine' })

function service(found: ForwardedTaskService | undefined): ForwardedTaskService {
  if (found === undefined) throw new Error('no tasks')
  return found
}
const drawing = service(midjourney.tasks?.drawing)
const music = service(suno.tasks?.music)

const reportsIn = (response: TaskResponse | undefined) =>
  response !== undefined && 'reports' in response ? Object.fromEntries(response.reports) : response

describe('tasks of lists', () => {
  it('are asked for at the address of the channel, with its credential', () => {
    expect(drawing.polling.question([open('1'), open('2'), open('1')], target)).toEqual({
      url: 'https://p.example/mj/task/list-by-condition',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{"ids":["1","2"]}',
    })
    expect(music.polling.question([open('a')], target)).toMatchObject({
      url: 'https://p.example/suno/fetch',
      body: '{"ids":["a"]}',
    })
    const within = { ...target, baseUrl: 'https://p.example/x/mj' }
    expect(drawing.endpoint('/mj/submit/imagine?a=1', within).url).toBe(
      'https://p.example/x/mj/submit/imagine?a=1',
    )
    const headersOf = (provider: typeof suno) =>
      provider.credential.kind === 'headers' && provider.credential.headers(target)
    expect(headersOf(midjourney)).toEqual({ 'mj-api-secret': 'k-1' })
    expect(headersOf(suno)).toEqual({ authorization: 'Bearer k-1' })
  })

  it('report a drawing with its state', () => {
    const task = {
      id: '1',
      status: 'IN_PROGRESS',
      progress: '42%',
      promptEn: 'Cat',
      imageUrl: 'https://cdn.example/1.webp',
      startTime: 1689231442755,
      finishTime: null,
      failReason: '',
      buttons: [{ customId: 'MJ::JOB::upsample::1::u', label: null }],
      properties: { finalPrompt: 'Cat --v 6' },
    }
    expect(reportsIn(drawing.polling.read([task], [open('1')], target))).toEqual({
      '1': {
        state: 'IN_PROGRESS',
        progress: 42,
        startedMs: 1689231442755,
        properties: {
          prompt_en: 'Cat',
          image_url: 'https://cdn.example/1.webp',
          buttons: [{ customId: 'MJ::JOB::upsample::1::u', label: null }],
          properties: { finalPrompt: 'Cat --v 6' },
        },
      },
    })
  })

  it.each([
    [{ status: 'SUCCESS', progress: '100%' }, 'SUCCESS', undefined],
    [{ status: 'SUCCESS', failReason: 'a warning' }, 'SUCCESS', undefined],
    [{ status: 'FAILURE', failReason: 'banned' }, 'FAILURE', 'banned'],
    [{ status: 'FAILURE', description: 'no' }, 'FAILURE', 'no'],
    [{ status: 'CANCEL' }, 'FAILURE', 'CANCEL'],
    [{ status: 'IN_PROGRESS', failReason: 'gone' }, 'FAILURE', 'gone'],
    [{ status: 'MODAL' }, 'MODAL', undefined],
    [{ status: '' }, 'SUBMITTED', undefined],
    [{ status: 'SOMETHING' }, 'UNKNOWN', undefined],
  ])('read %j of a drawing as %s', (task, state, failReason) => {
    const response = reportsIn(drawing.polling.read([{ id: '1', ...task }], [open('1')], target)) as object
    expect(response).toMatchObject({ 1: { state, ...(failReason !== undefined && { failReason }) } })
  })

  it('report songs in milliseconds, with their results', () => {
    const data = [{ id: 'e6c8', audio_url: 'https://cdn.example/e6c8.mp3' }]
    const body = {
      code: 'success',
      data: [
        { task_id: 'a', status: 'SUCCESS', start_time: 1716191786, finish_time: 1716191997, data },
        { task_id: 'b', status: 'queued', data: null, fail_reason: null, progress: '5%' },
        { task_id: 'c', status: 'error', fail_reason: 'too long' },
        { task_id: 'unasked', status: 'SUCCESS' },
      ],
    }
    const requested = ['a', 'b', 'c', 'd'].map(open)
    expect(reportsIn(music.polling.read(body, requested, target))).toEqual({
      a: { state: 'SUCCESS', startedMs: 1716191786000, finishedMs: 1716191997000, result: data },
      b: { state: 'QUEUED', progress: 5 },
      c: { state: 'FAILURE', failReason: 'too long' },
    })
  })

  it('pass over what is of another shape, and never throw', () => {
    const odd = [null, 5, 'x', [], {}, { id: null }, { id: '1', progress: 7, buttons: {}, startTime: 'now' }]
    expect(reportsIn(drawing.polling.read(odd, [open('1')], target))).toEqual({
      '1': { state: 'SUBMITTED', properties: {} },
    })
    for (const body of [null, undefined, 5, 'x', {}, { data: [] }])
      expect(drawing.polling.read(body, [open('1')], target)).toBeUndefined()
    for (const body of [null, [], 5, {}, { code: 'success', data: {} }, { code: 'no', data: [] }])
      expect(music.polling.read(body, [open('1')], target)).toBeUndefined()
    const clip = { task_id: '1', status: 5, start_time: 'x', progress: '900%', data: 7 }
    expect(
      reportsIn(music.polling.read({ code: 'success', data: [null, clip] }, [open('1')], target)),
    ).toEqual({
      '1': { state: 'UNKNOWN', progress: 100 },
    })
  })
})
